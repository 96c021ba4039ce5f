#!/bin/sh
# The primary's container runs this script when it creates the database. It adds a user and a replication slot for the replica.
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 \
  --set=password="$(cat /run/secrets/replication-password)" <<'SQL'
create role replicator with replication login password :'password';
select pg_create_physical_replication_slot('galley_replica');
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
