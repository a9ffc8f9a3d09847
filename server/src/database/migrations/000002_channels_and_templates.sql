-- A number belongs to one workspace, so an inbound message has exactly one owner.
create table channels (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  type text not null,
  name text,
  status text,
  display_phone text,
  verified_name text,
  quality text,
  waba_id text not null,
  phone_number_id text not null unique,
  access_token bytea not null,
  app_secret bytea not null,
  app_secret_fingerprint bytea not null,
  -- Sealed like the others. A fingerprint alone could not be made anew after a change of SECRET_KEY.
  verify_token bytea not null,
  verify_token_fingerprint bytea not null,
  messaging_tier integer,
  -- The reason for which the platform refuses every call of this number, valid until the next probe at fault_until.
  fault text,
  fault_until timestamptz(3),
  -- When the platform last verified the callback address with this channel's token.
  callback_verified_at timestamptz(3),
  -- When a person last connected or changed the channel. A workspace file then changes nothing but secrets that no key opens.
  changed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index channels_account on channels (waba_id);
create index channels_app_secret on channels (app_secret_fingerprint);
create index channels_verify_token on channels (verify_token_fingerprint);

-- Places of the messaging tier that erased contacts took. The platform counts them for 24 hours, also after an erasure; a row
-- does not say whose place it was.
create table erased_places (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  channel_id uuid not null,
  taken_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index erased_places_of_channel on erased_places (workspace_id, channel_id, taken_at);

create table templates (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  waba_id text not null,
  platform_template_id text,
  name text not null,
  language text not null,
  category text not null,
  components json not null,
  status text not null,
  rejection_reason text,
  quality text,
  -- When the platform accepted it. It accepts a limited number of new templates per account and hour.
  submitted_at timestamptz(3),
  -- Whether a workspace file made it. A file changes no template that a person or a program made.
  is_from_file boolean not null default false,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, waba_id, name, language)
);
create index templates_platform_id on templates (platform_template_id);

-- The platform's own time of its last report, by subject and kind. The platform repeats reports for days and in any order, so a
-- report that is not newer is ignored.
create table platform_reports (
  workspace_id uuid not null references workspaces,
  kind text not null,
  -- The platform's id of a template, or our id of a channel.
  subject text not null,
  reported_at timestamptz(3) not null,
  primary key (workspace_id, kind, subject)
);

-- Every status that a template had, with its reason, in order.
create table template_reviews (
  workspace_id uuid not null,
  template_id uuid not null,
  id bigint generated always as identity,
  status text not null,
  rejection_reason text,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, template_id, id),
  foreign key (workspace_id, template_id) references templates on delete cascade
);

-- Templates that were deleted here or at the platform. The name is blocked for a while, and a list of the platform that still
-- has the template must not bring it back.
create table deleted_templates (
  workspace_id uuid not null references workspaces,
  -- The template's id.
  id uuid not null,
  waba_id text not null,
  name text not null,
  language text not null,
  platform_template_id text,
  deleted_at timestamptz(3) not null,
  -- When the platform was known to have removed it; null while the removal is under way.
  removed_at timestamptz(3),
  primary key (workspace_id, id)
);
create index deleted_templates_name on deleted_templates (workspace_id, name, deleted_at);
create index deleted_templates_account on deleted_templates (workspace_id, waba_id);

-- The bytes are in the file store under (workspace_id, id). A row exists only after all bytes are stored.
create table media (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- As detected from the bytes, never as declared.
  mime text not null,
  filename text,
  size_bytes bigint not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index media_age on media (created_at, id);

-- The platform's id of its copy of a file, and until when it may be used. Each number has its own copy.
create table media_on_platform (
  workspace_id uuid not null,
  media_id uuid not null,
  channel_id uuid not null,
  platform_media_id text not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, media_id, channel_id),
  foreign key (workspace_id, media_id) references media on delete cascade,
  foreign key (workspace_id, channel_id) references channels
);
