-- A person signs in once, and may be a user of several workspaces.
create table people (
  id uuid primary key,
  -- Lower case. It names the person in every workspace.
  email text not null unique,
  name text not null,
  language text,
  theme text,
  -- Whether keys without Control or Command act. They disturb speech input (WCAG 2.1.4).
  single_key_shortcuts boolean not null default true,
  -- Argon2id with its parameters (PHC string format). A person with a passkey or an identity provider may have none.
  password_hash text,
  -- Sealed. It counts from totp_enabled_at on.
  totp_secret bytea,
  totp_enabled_at timestamptz(3),
  -- The time step of the last accepted code, which is not accepted again (RFC 6238, section 5.2).
  totp_last_step bigint,
  -- The account at an identity provider. An issuer names each of its accounts by a subject, once.
  oidc_issuer text,
  oidc_subject text,
  created_at timestamptz(3) not null,
  unique (oidc_issuer, oidc_subject)
);

create table passkeys (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
  -- As the browser spells it, in base64url.
  credential_id text not null unique,
  -- COSE.
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkeys_person on passkeys (person_id);

create table recovery_codes (
  person_id uuid not null references people on delete cascade,
  code_hash bytea not null,
  primary key (person_id, code_hash)
);

create table sessions (
  id uuid primary key,
  person_id uuid not null references people on delete cascade,
  token_hash bytea not null unique,
  -- The way of signing in: password, code, passkey, oidc, invitation, link.
  method text not null,
  -- The password was right, and the code of the app is missing: such a session signs nobody in.
  awaits_code boolean not null,
  -- The last proof of identity. Sensitive operations need a recent one.
  confirmed_at timestamptz(3) not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null
);
create index sessions_person on sessions (person_id);
create index sessions_age on sessions (last_seen_at);

-- The challenge of a passkey or the state of a sign-in with the identity provider. It is good once: its use deletes it.
create table sign_in_challenges (
  token_hash bytea primary key,
  -- register_passkey, sign_in_with_passkey, confirm_with_passkey, sign_in_with_oidc, confirm_with_oidc
  purpose text not null,
  -- Of a person who is signed in: no other session can use it.
  session_id uuid references sessions on delete cascade,
  -- Sealed. The secrets of the exchange with the identity provider.
  exchange bytea,
  created_at timestamptz(3) not null
);
create index sign_in_challenges_session on sign_in_challenges (session_id) where session_id is not null;
create index sign_in_challenges_age on sign_in_challenges (created_at);

-- The link of an e-mail or of the command line. It is good once: its use deletes it.
create table sign_in_links (
  id uuid primary key,
  -- invitation, reset, sign_in
  kind text not null,
  token_hash bytea not null unique,
  email text not null,
  -- Of an invitation.
  workspace_id uuid references workspaces,
  role text,
  invited_by uuid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  foreign key (workspace_id, invited_by) references users
);
create index sign_in_links_workspace on sign_in_links (workspace_id, created_at) where workspace_id is not null;
create index sign_in_links_expiry on sign_in_links (expires_at);

-- A membership: the user of a workspace as whom the person acts.
alter table users
  add column person_id uuid references people,
  add column joined_at timestamptz(3),
  -- Sees the conversations of own teams, and those assigned to the user, alone.
  add column own_teams_only boolean not null default false,
  -- The last change by a person: a workspace file does not undo it.
  add column changed_at timestamptz(3),
  -- A former member. Messages and notes still name the user.
  add column removed_at timestamptz(3);
create unique index users_person on users (person_id, workspace_id) where person_id is not null;

-- What people did. Nothing updates or deletes an entry.
create table audit_entries (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  at timestamptz(3) not null,
  user_id uuid not null,
  -- The id of the operation.
  action text not null,
  -- The ids that the request named, by parameter.
  targets json not null,
  address text not null,
  details json,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users
);
create index audit_entries_user on audit_entries (workspace_id, user_id, id);
