-- Whose data a row holds, where nothing else of the row says so: an erasure finds the events and the stored answers of a
-- conversation, and the stored answers that show a contact.
alter table events add column conversation_id uuid;
alter table idempotency_keys add column conversation_id uuid, add column contact_id uuid;

-- With which of the contact's identities it is held: the one that wrote last. A contact has several after a merge, and an
-- answer goes to where the question came from. Absent while nobody has written: then it is the contact's oldest.
alter table conversations add column identifier text;
