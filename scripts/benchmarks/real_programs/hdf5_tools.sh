# The tools of HDF5 on a file that one of them makes.
set -u
seq 200000 >numbers
cat >shape <<'text'
PATH group/numbers
INPUT-CLASS TEXTIN
RANK 2
DIMENSION-SIZES 2000 100
text
h5import numbers -c shape -o data.h5
h5ls -r data.h5
h5dump -H data.h5
h5dump -d group/numbers -y -w 0 data.h5 | cksum
h5repack -f GZIP=4 -l CHUNK=100x100 data.h5 packed.h5
h5diff data.h5 packed.h5 && echo no difference
h5copy -i data.h5 -o packed.h5 -s group/numbers -d copied
h5diff -v data.h5 packed.h5 group/numbers copied
h5stat packed.h5 | grep -c .
h5dump nowhere.h5
echo $?
