#!/bin/bash
# restore.sh [TIME]: lists the backups, or restores the database of that time and the files that are missing.
# The services must be stopped. Afterwards no file is deleted until `admin hold-deletions --end`.
set -euo pipefail
backups=${BACKUPS:-/backups} objects=${OBJECTS:-/objects} database=${DATABASE:-vitrine}
dump=$backups/database/${1:-}.dump
if [ $# -ne 1 ] || [ ! -e "$dump" ]; then
  echo "Usage: restore TIME, with one of:" >&2
  (cd "$backups/database" && ls -1 -- *.dump) | sed 's/\.dump$//' >&2
  exit 2
fi
sql() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2"; }
sessions=$(sql postgres "select count(*) from pg_stat_activity where datname = '$database'")
if [ "$sessions" -ne 0 ]; then
  echo "$sessions sessions use the database. Stop the services first." >&2
  exit 1
fi

before=${database}_before_$(date --utc +%Y%m%d%H%M%S)
sql postgres "alter database $database rename to $before"
# A dump that can't be restored changes nothing.
trap 'sql postgres "drop database if exists $database" && sql postgres "alter database $before rename to $database"' ERR
pg_restore --create --exit-on-error --dbname=postgres "$dump"
sql "$database" 'insert into deletion_hold default values on conflict do nothing'
for folder in "$backups"/files "$backups"/removed/*; do
  [ ! -d "$folder" ] || cp --archive --no-clobber "$folder/." "$objects/"
done
trap - ERR
echo "Restored. The database before it is $before; drop it when you don't need it."
