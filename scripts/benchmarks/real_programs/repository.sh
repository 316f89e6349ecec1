# The life of a repository: commits, branches, a merge, clones, packing, checking.
set -eu
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 LC_ALL=C
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
export GIT_AUTHOR_DATE='1600000000 +0000' GIT_COMMITTER_DATE='1600000000 +0000'
git config --global init.defaultBranch main
git config --global pack.threads 1
git config --global gc.auto 0

commit() { GIT_AUTHOR_DATE="$1 +0000" GIT_COMMITTER_DATE="$1 +0000" git commit -q -m "commit $1"; }

git init -q first
cp -r tree first/
cd first
for number in 1 2 3 4 5 6 7 8; do
    for one in tree/*/*3; do echo "changed $number" >>"$one"; done
    git add . && commit "160000000$number"
done
git checkout -q -b side HEAD~2
echo side >tree/side && git add . && commit 1600000100
git checkout -q main
git merge -q -m merged side
git tag -a -m tagged v1 2>/dev/null || true
cd ..
git clone -q --no-local first second
git clone -q --bare first third.git
cd second
git log --oneline --graph --stat | cksum
echo more >more && git add more && commit 1600000300
git push -q origin HEAD:refs/heads/pushed
cd ../first
git gc -q --prune=now
git fsck --full --strict
git diff --stat main pushed
git archive pushed | tar -t | cksum
git grep -c 'line 10' | wc -l
git rev-parse main pushed
git status --short
