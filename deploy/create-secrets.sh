#!/bin/sh
# Makes the passwords that compose.yaml asks for, in deploy/secrets. Run it once; it leaves what is there alone.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo 'deploy/secrets is there already.' >&2
  exit 1
fi
# Nobody else on this machine may enter the folder. The files are open, since each container reads them as a user of its own.
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
