import os, random, sys
def make_tree(folder, files):
    chance = random.Random(1)
    made = number = 0
    while made < files:
        want = min(files // 10 if number == 0 else int(10 ** chance.uniform(0, 2.3)), files - made)
        place = f"{folder}/user{number % 50}/run{number // 50 % 40}/step{number}"
        os.makedirs(place)
        descriptor = os.open(place, os.O_RDONLY)
        for at in range(want):
            file = os.open(f"{chance.choice(('out', 'rank', 'field'))}.{at:06}{chance.choice(('.nc', '.h5', '.txt', ''))}", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor)
            if at % 8 == 0:
                os.ftruncate(file, int(2 ** chance.uniform(0, 40)))
            os.close(file)
        os.close(descriptor)
        made += want
        number += 1
    return made, number
if __name__ == "__main__":
    print(make_tree(sys.argv[1], int(sys.argv[2])))
