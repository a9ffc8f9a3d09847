-- A file of contacts that the service imports by itself, in chunks.
create table contact_imports (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- Who handed the file over.
  user_id uuid not null,
  file_name text not null,
  -- The titles of the file's columns, for the rows that are left out.
  header text[] not null,
  -- receiving, running, done, cancelled
  status text not null,
  rows_total integer not null,
  -- Rows handed over so far, those left out among them.
  rows_received integer not null default 0,
  -- Rows that need nothing any more: imported or left out.
  rows_done integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  left_out_count integer not null default 0,
  -- The line up to which the rows are imported.
  done_line integer not null default -1,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users
);
create index contact_imports_age on contact_imports (created_at);

-- A row that waits, or one that was left out. A row that became a contact is deleted with the same commit.
create table contact_import_rows (
  workspace_id uuid not null,
  import_id uuid not null,
  line integer not null,
  -- Null: left out.
  contact json,
  cells text[] not null,
  -- Why it was left out.
  reason text,
  -- Digits of its numbers, and its e-mail address: an erasure finds the rows of a contact by them.
  names text[] not null,
  primary key (workspace_id, import_id, line),
  foreign key (workspace_id, import_id) references contact_imports on delete cascade
);
create index contact_import_rows_names on contact_import_rows using gin (workspace_id, names);

create trigger publish_new_import after insert on contact_imports
for each row execute function publish_object('contact_import');
create trigger publish_changed_import after update on contact_imports
for each row when (
  (old.status, old.rows_done, old.left_out_count) is distinct from (new.status, new.rows_done, new.left_out_count)
) execute function publish_object('contact_import');

-- The keys of the installation that sign receipts. The newest one whose private key opens signs; all of them verify.
create table receipt_keys (
  -- From the hash of the public key.
  id text primary key,
  -- PEM.
  public_key text not null,
  -- Sealed.
  private_key bytea not null,
  created_at timestamptz(3) not null
);

-- Of erasures of contacts. It names nobody who was erased, and nothing updates or deletes one.
create table erasure_receipts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  key_id text not null references receipt_keys,
  -- The signed text: canonical JSON.
  receipt text not null,
  signature bytea not null,
  primary key (workspace_id, id)
);

alter table contact_imports alter column workspace_id set (n_distinct = 1);
alter table contact_import_rows alter column workspace_id set (n_distinct = 1);
alter table erasure_receipts alter column workspace_id set (n_distinct = 1);
