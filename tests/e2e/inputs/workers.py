"""Worker processes that each write a file of their own."""
import multiprocessing


def work(number):
    with open(f"part.{number}", "wb") as file:
        file.write(b"x" * 100_000)
    return number


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(3) as pool:
        print(sum(pool.map(work, range(6))))
