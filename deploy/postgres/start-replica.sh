#!/bin/sh
# Starts the replica. Where it has no data yet, it copies the primary's first; a copy that was cut short is thrown away.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$(dirname "$PGDATA")"
  rm -rf "$PGDATA" "$PGDATA.new"
  PGPASSWORD="$(cat /run/secrets/replication-password)" pg_basebackup --host=primary --username=replicator \
    --pgdata="$PGDATA.new" --slot=galley_replica --wal-method=stream --write-recovery-conf --checkpoint=fast
  mv "$PGDATA.new" "$PGDATA"
fi
# The primary keeps rows that a reader here still looks at. A replica must allow as many connections as its primary.
exec postgres -c hot_standby_feedback=on -c max_connections=200
