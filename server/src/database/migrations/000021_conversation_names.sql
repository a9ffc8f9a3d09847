-- The contact's name as it is shown, beside the folded one: with it a page of the list reads nothing of the contacts.
alter table conversations add column contact_name text;

-- The contact is held: of a change at the same moment, one of the two sees the other. It would find no conversation yet, and
-- here the old contact would be found.
create or replace function copy_contact_to_conversation() returns trigger language plpgsql as $$
begin
  select k.name, k.name_folded, k.tags into new.contact_name, new.contact_name_folded, new.contact_tags
  from contacts k where k.workspace_id = new.workspace_id and k.id = new.contact_id
  for no key update;
  new.contact_tags := coalesce(new.contact_tags, '{}');
  return new;
end $$;

create or replace function copy_contact_to_conversations() returns trigger language plpgsql as $$
begin
  perform from conversations c where c.workspace_id = new.workspace_id and c.contact_id = new.id
  order by c.id for no key update;
  update conversations c
  set contact_name = new.name, contact_name_folded = new.name_folded, contact_tags = new.tags
  where c.workspace_id = new.workspace_id and c.contact_id = new.id;
  return null;
end $$;
create or replace trigger conversations_of_changed after update of name, name_folded, tags on contacts
for each row when ((old.name, old.name_folded, old.tags) is distinct from (new.name, new.name_folded, new.tags))
execute function copy_contact_to_conversations();
