"""What LMT had of a run of IOR on Lustre, of which there is a log of Darshan (sample-badost.darshan)."""
import sqlite3
import time

START = 1497980979  # of the log of IOR, s of UNIX time
OSTS, ILL, FILES_OF_ALL = 24, 14, 512 << 30
WELL_SECONDS, ILL_SECONDS = 16, 765


def lmt_of_ior(path, ill):
    """What LMT had of that run, every 5 s: equal bytes on all servers, in seconds for the others and in minutes for the one that is ill."""
    database = sqlite3.connect(path)
    database.executescript("""create table FILESYSTEM_INFO (FILESYSTEM_ID, FILESYSTEM_NAME, FILESYSTEM_MOUNT_NAME, SCHEMA_VERSION);
        create table OSS_INFO (OSS_ID, FILESYSTEM_ID, HOSTNAME, FAILOVERHOST);
        create table OST_INFO (OST_ID, OSS_ID, OST_NAME, HOSTNAME, OFFLINE, DEVICE_NAME);
        create table OST_DATA (OST_ID, TS_ID, READ_BYTES, WRITE_BYTES, PCT_CPU, KBYTES_FREE, KBYTES_USED, INODES_FREE, INODES_USED);
        create table TIMESTAMP_INFO (TS_ID, TIMESTAMP);
        insert into FILESYSTEM_INFO values (1, 'snx11168', '', '1.1');""")
    for number in range(OSTS):
        database.execute("insert into OSS_INFO values (?, 1, ?, '')", (number, f"oss{number}"))
        database.execute("insert into OST_INFO values (?, ?, ?, ?, 0, '')", (number, number, f"snx11168-OST{number:04x}", f"oss{number}"))
    each, begin = FILES_OF_ALL / OSTS, START - START % 5 + 5
    for step in range(-6, 180):
        time_of = begin + 5 * step
        database.execute("insert into TIMESTAMP_INFO values (?, ?)", (step, time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(time_of))))
        for number in range(OSTS):
            seconds = ILL_SECONDS if ill and number == ILL else WELL_SECONDS
            done = min(max(time_of - begin, 0) / seconds, 1)
            database.execute("insert into OST_DATA values (?, ?, 0, ?, 0, 0, 0, 0, 0)", (number, step, int(10**12 + each * done)))
    database.commit()
