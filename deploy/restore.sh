#!/bin/sh
# Restores a backup of backup.sh: restore.sh FOLDER, into an empty DATA_DIR, and into the empty database of DATABASE_URL if the
# service has it. The service must not run.
set -eu
umask 077
folder=${1:?the folder of the backup}
data=${DATA_DIR:-./data}
mkdir -p "$data"
if [ -n "$(ls -A "$data")" ]; then echo "restore.sh: $data is not empty" >&2; exit 1; fi

if [ -n "${DATABASE_URL:-}" ]; then
  pg_restore --exit-on-error --single-transaction --no-owner --dbname="$DATABASE_URL" "$folder/database.dump"
  for item in media secret-key operator-token; do
    if [ -e "$folder/$item" ]; then cp -a "$folder/$item" "$data/"; fi
  done
else
  cp -a "$folder/data/." "$data/"
fi
echo "restore.sh: $data is restored"
