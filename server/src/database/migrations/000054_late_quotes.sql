-- The message that another one quotes may come after it. Open threads show the quote once it is linked.
create or replace function publish_changed_messages()
 returns trigger
 language plpgsql
as $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id, details)
  select workspace_id, 'status', conversation_id, id, json_build_object('status', status) from (
    select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown, reply_to_id, edited_at, deleted_at from after
    except
    select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown, reply_to_id, edited_at, deleted_at from before
  ) changed order by id;
  return null;
end $function$;
