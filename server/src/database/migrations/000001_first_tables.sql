-- Every table of a workspace carries workspace_id as the first column of its key, and references stay inside the
-- workspace because they carry it too: a row of one workspace cannot point into another.
-- Times have milliseconds, as the clock and the cursors do: nothing is lost between the row and its text.

create table workspaces (
  id uuid primary key,
  name text not null unique,
  industry text,
  country text,
  timezone text,
  language text,
  plan text,
  created_at timestamptz(3) not null
);

create table wallets (
  workspace_id uuid primary key references workspaces,
  balance_minor bigint not null,
  currency text not null
);

create table users (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  email text not null,
  role text,
  status text,
  available boolean not null default true,
  last_active_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, email)
);

create table teams (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

create table team_members (
  workspace_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  primary key (workspace_id, team_id, user_id),
  foreign key (workspace_id, team_id) references teams on delete cascade,
  foreign key (workspace_id, user_id) references users on delete cascade
);

create table stages (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  emoji text,
  position integer not null,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

create table closing_categories (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  position integer not null,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

create table ai_agents (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  status text,
  languages text[] not null default '{}',
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

create table workflows (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  status text not null,
  trigger text not null,
  definition json not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

create table api_keys (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  environment text not null,
  scopes text[] not null,
  key_hash bytea not null unique,
  key_prefix text not null,
  created_by uuid,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, created_by) references users
);
create unique index api_keys_live_name on api_keys (workspace_id, name) where revoked_at is null;

-- A number belongs to one workspace: what arrives for it has one home.
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
  verify_token_fingerprint bytea not null,
  messaging_tier integer,
  -- The reason for which the platform refuses every call of this number, until it is asked again.
  fault text,
  fault_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index channels_account on channels (waba_id);
create index channels_app_secret on channels (app_secret_fingerprint);
create index channels_verify_token on channels (verify_token_fingerprint);

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
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, waba_id, name, language)
);
create index templates_platform_id on templates (platform_template_id);

create table contacts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text,
  name_folded text,
  email text,
  language text,
  dialect text,
  vip boolean not null default false,
  blocked boolean not null default false,
  tags text[] not null default '{}',
  stage_id uuid,
  consents json not null default '{}',
  custom_fields json not null default '{}',
  last_activity_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, stage_id) references stages
);

-- identifier: E.164 for a phone number. wa_id: the platform's own name of the same person, which may be spelled
-- otherwise (Brazil, Mexico, Argentina); learned from its answers and notifications.
create table contact_identities (
  workspace_id uuid not null,
  channel_type text not null,
  identifier text not null,
  contact_id uuid not null,
  display_name text,
  wa_id text,
  user_id text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, channel_type, identifier),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);
create unique index contact_identities_wa_id on contact_identities (workspace_id, channel_type, wa_id) where wa_id is not null;
create unique index contact_identities_user_id on contact_identities (workspace_id, channel_type, user_id) where user_id is not null;
create index contact_identities_contact on contact_identities (workspace_id, contact_id);

create table conversations (
  workspace_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  channel_id uuid not null,
  channel_type text not null,
  -- A contact has one current conversation per channel; a merge can leave others, which are not written to by number.
  is_current boolean not null default true,
  status text not null default 'open',
  stage_id uuid,
  assignee_id uuid,
  team_id uuid,
  controller text not null default 'human',
  unread_count integer not null default 0,
  last_customer_at timestamptz(3),
  last_message_at timestamptz(3) not null,
  window_expires_at timestamptz(3),
  snoozed_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, contact_id) references contacts,
  foreign key (workspace_id, channel_id) references channels,
  foreign key (workspace_id, stage_id) references stages,
  foreign key (workspace_id, assignee_id) references users,
  foreign key (workspace_id, team_id) references teams
) with (fillfactor = 85);
create unique index conversations_current on conversations (workspace_id, contact_id, channel_id) where is_current;
create index conversations_activity on conversations (workspace_id, last_message_at desc, id desc);
create index conversations_contact on conversations (workspace_id, contact_id);

create table messages (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  direction text not null,
  kind text not null,
  body text,
  media_id uuid,
  filename text,
  mime text,
  size_bytes bigint,
  reply_to_id uuid,
  actor_kind text,
  actor_id uuid,
  -- Absent for notes.
  status text,
  error text,
  -- Outbound: whom it is addressed to, fixed when it was accepted.
  recipient text,
  -- What a kind has beyond its body: a template's components, buttons, a location; inbound: the platform's own item.
  content json,
  platform_message_id text,
  -- Nobody answered whether the platform took it: only the platform's own word ends this, or the reconcile window.
  outcome_unknown boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations
) with (fillfactor = 85);
create index messages_of_conversation on messages (workspace_id, conversation_id, id desc);
create unique index messages_platform_id on messages (channel_id, platform_message_id) where platform_message_id is not null;

create table events (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  type text not null,
  -- The exact bytes of the envelope: what is signed is what is stored (jsonb would reorder the members).
  payload text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table idempotency_keys (
  workspace_id uuid not null references workspaces,
  -- Method and path: the same key on another operation or another conversation is another key.
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, operation, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- group_id: whose work this is, for fairness and for pauses (a channel, an endpoint).
-- lane_id: what must happen one after the other, oldest first (a conversation).
-- Leases run on the database's real time: a move of the test clock must not end them.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  group_id uuid not null,
  lane_id uuid,
  payload text not null,
  run_at timestamptz(3) not null,
  -- Counts claims, and so is the fencing token of each.
  attempts integer not null default 0,
  failures integer not null default 0,
  worker_id integer,
  leased_until timestamptz(3),
  -- Set when the handler passed its point of no return: found again, the job was interrupted and must not simply be repeated.
  started_at timestamptz(3)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index jobs_due on jobs (kind, group_id, run_at, id);
create index jobs_lane on jobs (kind, lane_id, id) where lane_id is not null;

create table job_groups (
  kind text not null,
  group_id uuid not null,
  paused_until timestamptz(3) not null,
  primary key (kind, group_id)
);

create table test_clock (
  singleton boolean primary key default true check (singleton),
  offset_ms bigint not null default 0
);
insert into test_clock default values;
