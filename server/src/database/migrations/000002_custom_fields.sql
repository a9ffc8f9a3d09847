-- Values of contacts under keys of a workspace's own. A key may be of any length, so its digest is what is unique.
create table custom_fields (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  key text not null,
  label text,
  type text not null,
  options text[],
  primary key (workspace_id, id)
);
create unique index custom_fields_key on custom_fields (workspace_id, md5(key));

-- What a contact is searched by: its folded name, its e-mail address and its identifiers, parted by U+001F.
alter table contacts add column search_text text not null default '';
