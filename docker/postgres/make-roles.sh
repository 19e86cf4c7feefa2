#!/bin/sh
# Runs when the volume of the database is new. For an older volume run it by hand: docs/guides/compose.md.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner_password="$OWNER_PASSWORD" --set application_password="$APPLICATION_PASSWORD" \
  --file /docker-entrypoint-initdb.d/roles/roles.sql
