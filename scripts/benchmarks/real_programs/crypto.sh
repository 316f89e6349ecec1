# Keys, digests, certificates; a transfer of a local file.
set -eu
openssl enc -aes-256-cbc -pbkdf2 -iter 1000 -S 0011223344556677 -k secret -in data -out sealed
openssl enc -d -aes-256-cbc -pbkdf2 -iter 1000 -S 0011223344556677 -k secret -in sealed | cmp - data && echo opened
openssl dgst -sha256 data
openssl genpkey -quiet -algorithm ed25519 -out key.pem
openssl req -x509 -key key.pem -subj /CN=x -days 3 -out certificate.pem
openssl x509 -in certificate.pem -noout -subject
openssl pkeyutl -sign -rawin -inkey key.pem -in data -out signature
openssl pkeyutl -verify -rawin -inkey key.pem -in data -sigfile signature
ssh-keygen -q -t ed25519 -N '' -f login -C comment
ssh-keygen -y -f login | cmp - <(cut -d' ' -f1-3 login.pub) && echo the same key
echo text | ssh-keygen -q -Y sign -f login -n file >text.sig
(echo -n 'me '; cat login.pub) >allowed
echo text | ssh-keygen -Y verify -f allowed -I me -n file -s text.sig | sed 's/with .*//'
curl -sS "file://$PWD/data" -o copied && cmp data copied && echo transferred
curl -sS "file://$PWD/nowhere" || echo "curl's status is $?"
