-- The headers of a stored answer, as JSON. A person's page asks again after a lost answer, and its undo needs what stood before.
alter table idempotency_keys add column headers text;
