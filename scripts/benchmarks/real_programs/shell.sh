# What shell scripts do: pipes, here-documents, subshells, redirections, traps, jobs.
set -u -o pipefail
trap 'echo "leaving with $?" >&2' EXIT
trap 'echo caught' USR1

exec 3>third 4<>both
for number in {1..300}; do echo "line $number"; done >lines
while read -r word number; do printf '%s %05d\n' "$word" "$number" >>padded; done <lines
echo to three >&3
printf 'first\nsecond\n' >&4
exec 3>&- 4>&-
cat both third

(cd tree && for one in *; do [[ -d $one ]] && echo "$one/" || echo "$one"; done) | sort -r >names
tee copy1 copy2 <<text | wc -lc
a here-document of $(wc -l <lines) lines
and a \$dollar
text
cat <<<"a here-string" >>copy1
diff <(sort lines) <(sort -r lines | sort) && echo the same both ways
grep -c . tree/*/* | sort | tail -3
set -- $(echo one two three)
echo "$# $3" "${@:1:2}" >&2
cat nowhere 2>&1 | sed 's/^cat: //'
false | true || echo "a pipe failed"

for job in 1 2 3 4; do
    { for part in 1 2 3 4 5 6 7 8; do head -c 100000 /dev/zero | tr '\0' "$job" >"job$job.$part"; done; } &
done
wait
cat job*.* | cksum
sleep 30 &
{ kill -KILL $! && wait $!; } 2>/dev/null
echo "killed: $?"
kill -USR1 $$
coproc upper { while read -r line; do echo "${line^^}"; done; }
echo through a coprocess >&"${upper[1]}"
read -r answer <&"${upper[0]}"
echo "$answer"
umask 077 && >private
set -o noclobber
(echo again >private) 2>/dev/null || echo not overwritten
for n in {1..150}; do $(:); /bin/true; done
exec 5<lines
read -r -u 5 line && echo "$line" && cat <&5 | tail -1
exit 3
