-- An upgrade of a filled table, as later migrations do it. This file takes locks for a moment only: the column needs no rewrite
-- of the table, and the constraint is `not valid`. Processes of the version before do not write the column: the trigger does.
alter table messages
  add column body_length integer,
  add constraint messages_conversation foreign key (workspace_id, conversation_id) references conversations not valid;

create function set_body_length() returns trigger language plpgsql as $$
begin
  new.body_length := length(new.body);
  return new;
end $$;
create trigger set_body_length before insert on messages for each row execute function set_body_length();
