#!/bin/sh
# Backs up Majlis into an empty folder: backup.sh FOLDER, with DATA_DIR, and with DATABASE_URL if the service has it.
# A database server is dumped while the service runs. The embedded database is copied, so the service must be stopped.
set -eu
umask 077
folder=${1:?the folder of the backup}
data=${DATA_DIR:-./data}
mkdir -p "$folder"
if [ -n "$(ls -A "$folder")" ]; then echo "backup.sh: $folder is not empty" >&2; exit 1; fi

if [ -n "${DATABASE_URL:-}" ]; then
  pg_dump --format=custom --file="$folder/database.dump" "$DATABASE_URL"
  # Files after the dump: each file that a row of the dump names is there.
  mkdir -p "$folder/media"
  for item in "$data"/media/*; do
    # Uploads that are not complete come and go here.
    if [ -e "$item" ] && [ "$item" != "$data/media/incoming" ]; then cp -a "$item" "$folder/media/"; fi
  done
  for item in secret-key operator-token; do
    if [ -e "$data/$item" ]; then cp -a "$data/$item" "$folder/"; fi
  done
else
  if [ -e "$data/postgresql/data/postmaster.pid" ]; then
    echo "backup.sh: the embedded database of $data runs; stop the service first" >&2
    exit 1
  fi
  cp -a "$data" "$folder/data"
fi
echo "backup.sh: $folder is complete"
