-- A send is an entry of the outbox: its idempotency key is kept with the draft that it takes, until the send is accepted.
alter table drafts add column send jsonb;
