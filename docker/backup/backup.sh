#!/bin/bash
# backup.sh [once]: backs up the database and the files while Vitrine runs, every BACKUP_EVERY_HOURS hours.
#
#   /backups/database/<time>.dump   a dump of each time (pg_dump, custom format)
#   /backups/files                  every file of the storage, with its attributes
#   /backups/removed/<time>         files that the storage no longer had at that time
#
# Dumps and removed files are kept for BACKUP_KEEP_DAYS days. Files are copied after the dump, so they include all that it knows.
set -euo pipefail
umask 077
backups=${BACKUPS:-/backups} objects=${OBJECTS:-/objects}
mkdir -p "$backups"/{database,files,removed}

# The paths of a folder's files, sorted, without those that the storage is still writing.
paths() (cd "$1" && find . -type f -not -path '*/.sgwtmp/*' | LC_ALL=C sort)
say() { printf '%s %s\n' "$(date --utc +%FT%TZ)" "$*"; }

backup() {
  local time list=$backups/.list
  # "once" may be run by hand at any time.
  exec 9>"$backups/.lock"
  flock 9
  time=$(date --utc +%Y-%m-%dT%H%M%S.%3NZ)
  rm -rf "$backups"/database/*.part "$backups/.new"

  pg_dump --format=custom --file="$backups/database/$time.part" "${DATABASE:-vitrine}"
  mv "$backups/database/$time.part" "$backups/database/$time.dump"

  # Files are linked into place, so each one is there as a whole or not at all. Some are deleted meanwhile.
  paths "$objects" >"$list"
  mkdir "$backups/.new"
  LC_ALL=C comm -23 "$list" <(paths "$backups/files") | tr '\n' '\0' |
    (cd "$objects" && LC_ALL=C xargs --null --no-run-if-empty cp --archive --parents --target-directory="$backups/.new") \
      2>"$backups/.errors" || true
  if grep --invert-match ': No such file or directory$' "$backups/.errors" >&2; then return 1; fi
  cp --archive --link "$backups/.new/." "$backups/files/"
  rm -rf "$backups/.new"

  LC_ALL=C comm -13 "$list" <(paths "$backups/files") | while IFS= read -r path; do
    mkdir -p "$backups/removed/$time/${path%/*}"
    mv "$backups/files/$path" "$backups/removed/$time/$path"
  done

  local old="-mtime +${BACKUP_KEEP_DAYS:-14}"
  find "$backups/database" -name '*.dump' $old -delete
  find "$backups/removed" -mindepth 1 -maxdepth 1 $old -exec rm -rf {} +
  touch "$backups/last-success"
  say "Backed up as $time: $(du -h "$backups/database/$time.dump" | cut -f1) of database, $(wc -l <"$list") files"
}

if [ "${1:-}" = once ]; then
  backup
  exit
fi
trap 'exit 0' TERM
while :; do
  # Not `if backup`, in which errors would not end it.
  (backup) & wait $! || say 'The backup failed.' >&2
  sleep "$((${BACKUP_EVERY_HOURS:-24} * 3600))" & wait $! || true
done
