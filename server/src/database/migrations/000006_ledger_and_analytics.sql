-- Whose turn it is in a conversation, and how soon the business first answered: kept by the statements that touch the
-- row anyway, because to find them among a million messages takes seconds. Ids are compared, as the list of messages is
-- ordered by them: two messages of one millisecond have an order too.
alter table conversations
  add column last_customer_message_id uuid,
  add column last_business_message_id uuid,
  -- When the first message of the customer was stored, and the first of the business from then on.
  add column first_customer_at timestamptz(3),
  add column first_response_at timestamptz(3);

update conversations c set
  last_customer_message_id = (select m.id from messages m where m.workspace_id = c.workspace_id
    and m.conversation_id = c.id and m.direction = 'inbound' order by m.id desc limit 1),
  last_business_message_id = (select m.id from messages m where m.workspace_id = c.workspace_id
    and m.conversation_id = c.id and m.direction = 'outbound' and m.kind <> 'note' order by m.id desc limit 1),
  first_customer_at = (select min(m.created_at) from messages m where m.workspace_id = c.workspace_id
    and m.conversation_id = c.id and m.direction = 'inbound');
update conversations c set
  first_response_at = (select min(m.created_at) from messages m where m.workspace_id = c.workspace_id
    and m.conversation_id = c.id and m.direction = 'outbound' and m.kind <> 'note' and m.created_at >= c.first_customer_at)
where first_customer_at is not null;

alter table conversations add column unreplied boolean not null generated always as (
  last_customer_message_id is not null
  and (last_business_message_id is null or last_customer_message_id > last_business_message_id)
) stored;

create index conversations_created on conversations (workspace_id, created_at);

-- How many conversations stand where. To count 200,000 by an index alone takes 35 ms while nothing moves and 170 ms soon
-- after; the sum of these takes 1 to 3. Kept by the database itself, in the statement that moves a conversation, so that
-- no path can forget it. Each session adds to rows of its own, and waits for nobody; sessions take turns at 1024 places,
-- so that a service that connects anew for years leaves no more rows than that.
create table conversation_counts (
  workspace_id uuid not null references workspaces,
  stage_id uuid,
  session integer not null,
  -- Of the open ones: without an answer to the customer's last message; without an assignee.
  open bigint not null,
  unreplied bigint not null,
  unassigned bigint not null,
  closed bigint not null,
  unique nulls not distinct (workspace_id, stage_id, session)
) with (fillfactor = 70);

insert into conversation_counts
select workspace_id, stage_id, 0, count(*) filter (where status = 'open'),
  count(*) filter (where status = 'open' and unreplied),
  count(*) filter (where status = 'open' and assignee_id is null), count(*) filter (where status = 'closed')
from conversations group by workspace_id, stage_id;

-- Conversations that stand from now on count 1, those that stood until now -1. Written out twice: a function in between
-- doubles the cost, which is 0.06 ms for a batch of 33 touched conversations.
create function count_conversations() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into conversation_counts as c
  select workspace_id, stage_id, pg_backend_pid() % 1024, sign * count(*) filter (where status = 'open'),
    sign * count(*) filter (where status = 'open' and unreplied),
    sign * count(*) filter (where status = 'open' and assignee_id is null),
    sign * count(*) filter (where status = 'closed')
  from moved
  group by workspace_id, stage_id
  on conflict (workspace_id, stage_id, session) do update set open = c.open + excluded.open,
    unreplied = c.unreplied + excluded.unreplied, unassigned = c.unassigned + excluded.unassigned,
    closed = c.closed + excluded.closed;
  return null;
end $$;

-- Most changes of a row move nothing: another message of the side that wrote last.
create function recount_conversations() returns trigger language plpgsql as $$
begin
  insert into conversation_counts as c
  select * from (
    select workspace_id, stage_id, pg_backend_pid() % 1024, sum(sign * (status = 'open')::int) as open,
      sum(sign * (status = 'open' and unreplied)::int) as unreplied,
      sum(sign * (status = 'open' and assignee_id is null)::int) as unassigned,
      sum(sign * (status = 'closed')::int) as closed
    from (
      select workspace_id, stage_id, status, unreplied, assignee_id, -1 as sign from before
      union all
      select workspace_id, stage_id, status, unreplied, assignee_id, 1 from after
    ) moves
    group by workspace_id, stage_id
  ) sums
  where (open, unreplied, unassigned, closed) <> (0, 0, 0, 0)
  on conflict (workspace_id, stage_id, session) do update set open = c.open + excluded.open,
    unreplied = c.unreplied + excluded.unreplied, unassigned = c.unassigned + excluded.unassigned,
    closed = c.closed + excluded.closed;
  return null;
end $$;

create trigger conversations_created after insert on conversations referencing new table as moved
  for each statement execute function count_conversations();
create trigger conversations_deleted after delete on conversations referencing old table as moved
  for each statement execute function count_conversations();
create trigger conversations_moved after update on conversations referencing old table as before new table as after
  for each statement execute function recount_conversations();

-- What the platform said of the price of a message, with the first status that said it: the fee falls due with a later
-- one, which need not repeat it. No index holds it: a change of status stays within the row's page.
alter table messages add column pricing json;
create index messages_sent on messages (workspace_id, created_at) where direction = 'outbound' and kind <> 'note';
create index messages_of_template on messages (workspace_id, (content ->> 'name'), created_at)
  where direction = 'outbound' and kind = 'template';

-- The operator's prices in minor units of the wallet's currency, by the platform's category. Without one no fee is due.
create table conversation_prices (
  workspace_id uuid not null references workspaces,
  category text not null,
  fee_minor bigint not null,
  primary key (workspace_id, category)
);

-- Everything that ever moved a wallet: its balance is the sum of its entries at any moment. A fee's reference is the
-- message's id, or the platform's conversation where that is what it charges: so each is booked once, and nothing here
-- can name a person. Free ones are entries too: they are usage.
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

-- A workspace without a currency can use conversations all the same. applied_minor: the balance of the file that was
-- applied last, so that the same file again is no second payment.
alter table wallets alter column currency drop not null;
alter table wallets add column applied_minor bigint;
update wallets set applied_minor = balance_minor;
insert into ledger_entries (workspace_id, reference, kind, amount_minor, created_at)
select workspace_id, gen_random_uuid()::text, 'adjustment', balance_minor, now() from wallets;

create table ai_usage (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  credits integer not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index ai_usage_age on ai_usage (workspace_id, created_at);
