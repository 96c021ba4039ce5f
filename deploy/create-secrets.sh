#!/bin/sh
# Creates the passwords for compose.yaml in deploy/secrets. Run it once; it never changes existing passwords.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo 'deploy/secrets already exists. Nothing was changed.' >&2
  exit 1
fi
# Other users on this machine cannot access the folder. The files in it are world-readable, because each container reads
# them as a different user.
umask 022
mkdir -m 700 secrets

password() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

database="$(password)"
printf '%s' "$database" > secrets/database-password
password > secrets/replication-password
printf 'postgres://galley:%s@primary:5432/galley' "$database" > secrets/database-url
printf 'postgres://galley:%s@replica:5432/galley' "$database" > secrets/replica-urls
