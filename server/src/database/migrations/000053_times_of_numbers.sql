-- The platform's time at which an identity was first named with its number. A number is handed on, so of two people that the platform
-- names by one number, the later one has it, in whatever order the notifications come. Null counts as the time of the row.
alter table contact_identities add column number_at timestamptz(3);
