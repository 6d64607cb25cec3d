#!/bin/sh
# Makes the secrets that compose.yaml and kubernetes/ mount, in the folder that is named (./secrets): the keys that the nodes share, the
# password of the database and the first admin key. A file that is there is left as it is. Run as root, it gives each to the user of its
# container; elsewhere the files are yours, and another user of this machine reads none of them.
set -eu
umask 077

folder=${1:-secrets}
# As in the image of the node, and in that of PostgreSQL on Debian.
node_user=65532
postgres_user=999

mkdir -p "$folder"

# 32 bytes as base64url (RFC 4648 section 5), 43 characters.
random() {
  openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n'
}

# A letter or a digit 32 times.
letters() {
  openssl rand -base64 96 | tr -d '+/=\n' | cut -c 1-32
}

# make NAME USER TEXT
make() {
  if [ ! -s "$folder/$1" ]; then
    printf '%s\n' "$3" >"$folder/$1.draft"
    mv "$folder/$1.draft" "$folder/$1"
  fi
  if [ "$(id -u)" = 0 ]; then chown "$2:$2" "$folder/$1"; fi
}

make issuer-key "$node_user" "$(random)"
make root-key "$node_user" "$(random)"
make admin-key "$node_user" "ak_live_$(letters)"
make postgres-password "$postgres_user" "$(letters)"
make database-url "$node_user" "postgres://countersign:$(cat "$folder/postgres-password")@postgres:5432/countersign"

echo "The secrets are in $folder. Keep issuer-key and root-key apart from this machine as well: without them the database is of no use."
