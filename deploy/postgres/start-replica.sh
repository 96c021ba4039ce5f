#!/bin/sh
# Starts the replica. If it has no data yet, first deletes any incomplete copy and copies the primary.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$(dirname "$PGDATA")"
  rm -rf "$PGDATA" "$PGDATA.new"
  PGPASSWORD="$(cat /run/secrets/replication-password)" pg_basebackup --host=primary --username=replicator \
    --pgdata="$PGDATA.new" --slot=galley_replica --wal-method=stream --write-recovery-conf --checkpoint=fast
  mv "$PGDATA.new" "$PGDATA"
fi
# With hot_standby_feedback, the primary keeps rows that queries on the replica still need. A replica must allow at least
# as many connections as its primary.
exec postgres -c hot_standby_feedback=on -c max_connections=200
