alter table channels
  -- The platform's path for marketing templates: messages, or marketing_messages.
  add column marketing_route text not null default 'messages',
  -- The calendar of the free allowances; null: the workspace's.
  add column timezone text;

-- Prices of the platform's categories that depend on the country of the recipient or begin on a day. They stand before
-- conversation_prices.
create table rates (
  workspace_id uuid not null references workspaces,
  category text not null,
  -- ISO 3166; empty: every country without a rate of its own.
  country text not null default '',
  from_date date not null default '-infinity',
  fee_minor integer not null,
  primary key (workspace_id, category, country, from_date)
);

-- The first messages of each number and calendar month that cost nothing.
create table allowances (
  workspace_id uuid not null references workspaces,
  category text not null,
  from_date date not null default '-infinity',
  messages integer not null,
  primary key (workspace_id, category, from_date)
);

create table allowance_uses (
  workspace_id uuid not null,
  channel_id uuid not null,
  category text not null,
  month date not null,
  used integer not null,
  primary key (workspace_id, channel_id, category, month),
  foreign key (workspace_id, channel_id) references channels (workspace_id, id)
);

alter table rates alter column workspace_id set (n_distinct = 1);
alter table allowances alter column workspace_id set (n_distinct = 1);
alter table allowance_uses alter column workspace_id set (n_distinct = 1);

alter table messages
  -- The allowance in which the message has a place, by category and month.
  add column allowance_category text,
  add column allowance_month date;

alter table conversations
  -- The customer came by an advertisement: an answer before this moment opens the free time.
  add column entry_answerable_until timestamptz(3),
  add column free_until timestamptz(3);
