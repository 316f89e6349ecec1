"""Workers of Python's multiprocessing, each of which writes a file of its own; one is killed.

usage: workers.py fork|spawn        (in an empty folder)
"""
import multiprocessing
import os
import signal
import sys


def work(number):
    with open(f"worker.{number}", "wb", buffering=0) as file:
        for _ in range(4 + number):
            file.write(b"0123456789")
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    workers = [context.Process(target=work, args=(number,)) for number in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
