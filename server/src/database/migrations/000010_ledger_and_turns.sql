-- Whose turn it is in a conversation, and how soon the business first answered: kept by the statements that touch the
-- row anyway, because to find them among a million messages takes seconds. Ids are compared, as the list of messages is
-- ordered by them: two messages of one millisecond have an order too.
alter table conversations
  add column last_customer_message_id uuid,
  add column last_business_message_id uuid,
  -- When the first message of the customer was stored, and the first of the business from then on.
  add column first_customer_at timestamptz(3),
  add column first_response_at timestamptz(3);

-- What the platform said of the price of a message, with the first status that said it: the fee falls due with a later
-- one, which need not repeat it. No index holds it: a change of status stays within the row's page.
alter table messages add column pricing json;

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
