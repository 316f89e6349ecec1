# What packs and unpacks, alone and in pipes, with several threads where it can.
set -eu -o pipefail
tar --sort=name --owner=0 --group=0 --numeric-owner -cf tree.tar tree
for packer in 'gzip -n' 'bzip2' 'xz -1 -T2' 'zstd -q -T2'; do
    $packer -k tree.tar
    name=$(ls -t tree.tar.* | head -1)
    ${packer%% *} -dc "$name" | cmp - tree.tar && echo "${packer%% *}: same"
    ${packer%% *} -t "$name" 2>&1 && mkdir "${packer%% *}" && tar -C "${packer%% *}" -xaf "$name"
done
diff -r tree xz/tree && echo same tree
tar -czf - tree | tar -tzf - | sort | cksum
tar --create --listed-incremental=snapshot --file level0.tar tree
echo new >tree/new && tar --create --listed-incremental=snapshot --file level1.tar tree && tar -tf level1.tar
tar --sparse -cf sparse.tar hole && tar -C gzip -xf sparse.tar && cmp hole gzip/hole
head -c 1000 tree.tar.gz | gzip -dc >cut 2>message || { echo "cut: $?"; cat message; }
