-- What a contact was called before the platform told of their new number: each spelling of it. Answers of idempotency keys
-- keep it for a day, and are found by it when the contact is erased. Another contact may have the number by now.
create table contact_former_names (
  workspace_id uuid not null,
  contact_id uuid not null,
  name text not null,
  primary key (workspace_id, contact_id, name),
  foreign key (workspace_id, contact_id) references contacts on delete cascade
);
