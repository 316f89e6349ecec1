# Tools that walk trees and sort what they find.
set -u -o pipefail
export LC_ALL=C
find tree -type f -size +1k -printf '%p %s %m\n' | sort | cksum
find tree -name '*5' -exec cat {} + | sort --buffer-size=1M --parallel=2 --temporary-directory=. | uniq -c | sort -rn | head -3
for n in 1 2 3 4; do cat tree/*/*; done | sort -S 2M -T . -k2,2n | cksum
find tree -type f -print0 | sort -z | xargs -0 -n 20 -P 2 md5sum | sort >sums
md5sum --quiet -c sums && echo all the same
grep -rc 'line 10' tree | sort | head -3
grep -rl 'line 39$' tree | wc -l
cp -a tree copy && diff -r tree copy && echo no difference
du -sb --apparent-size copy/a1 | cut -f1
find copy -name '*7' -delete
chmod -R o-rwx copy && find copy -type f -perm 640 | wc -l
mv copy moved && rm -r moved/a1 && ls moved
ln -s tree link && readlink -f link | sed 's|.*/||' && find -L link -maxdepth 1 | wc -l
split -b 10000 tree/a0/b0 piece. && cat piece.* | cmp - tree/a0/b0 && echo put together
sort -m tree/a0/b0 tree/a0/b1 | awk '{ n[$2 % 7]++ } END { for (i = 0; i < 7; i++) print i, n[i] > "counts" }'
awk '{ print > ("by" $2 % 5) }' tree/a0/b0
sed -i 's/line/LINE/' by3 && head -2 by3
dd if=by1 of=by2 bs=1k seek=2 conv=notrunc status=none && tac by2 | tail -1
comm -12 <(sort by1) <(sort by2) | wc -l
join <(sort -k2,2 by1) <(sort -k2,2 by2) -1 2 -2 2 | wc -l
stat -c '%n %s %a' by1 by2 && touch -d 2001-02-03 by1 && stat -c %Y by1
install -m 751 by1 installed && truncate -s 5M installed && fallocate -l 6M installed && shred -n 1 -u installed
timeout 0.2 sleep 5
echo $?
