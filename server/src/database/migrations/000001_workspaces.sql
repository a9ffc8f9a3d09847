-- Every tenant table has workspace_id as the first column of its key. Foreign keys contain it as well, so a row of one
-- workspace cannot refer to a row of another.
-- Times have milliseconds, as the clock and the cursors have, so a time survives the way to its text and back.

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

-- A workspace without a currency can use conversations too.
create table wallets (
  workspace_id uuid primary key references workspaces,
  balance_minor bigint not null,
  currency text,
  -- The balance of the configuration file that was applied last: applying it again must not be a second payment.
  applied_minor bigint
);

-- The operator's prices by the platform's category, in minor units of the wallet's currency. No price means no fee.
create table conversation_prices (
  workspace_id uuid not null references workspaces,
  category text not null,
  fee_minor bigint not null,
  primary key (workspace_id, category)
);

-- Every change of a wallet: the balance is always the sum of its entries. The reference of a fee is the id of the message,
-- or of the platform's conversation where the platform charges conversations. So each fee is booked once, and no entry
-- names a person. Free conversations have entries too, because they count as usage.
create table ledger_entries (
  workspace_id uuid not null references workspaces,
  reference text not null,
  -- adjustment (by the operator), conversation_fee
  kind text not null,
  category text,
  amount_minor bigint not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, reference)
);
create index ledger_entries_age on ledger_entries (workspace_id, created_at, category);

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
  -- The operator's instructions on tone and purpose.
  instructions text,
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
  -- When a person made or revoked the key: a workspace file does not undo it.
  changed_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, created_by) references users
);
create unique index api_keys_live_name on api_keys (workspace_id, name) where revoked_at is null;

create table test_clock (
  singleton boolean primary key default true check (singleton),
  offset_ms bigint not null default 0
);
insert into test_clock default values;
