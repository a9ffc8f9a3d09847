-- A paused broadcast hands over no message. The job that finds it paused ends, and resuming enqueues it again with this payload:
-- null while the job of the broadcast still waits in the queue.
alter table broadcasts
  add column paused_at timestamptz(3),
  add column paused_by uuid,
  add column held_payload text;

drop trigger publish_changed_broadcast on broadcasts;
create trigger publish_changed_broadcast after update on broadcasts
for each row when ((old.status, old.paused_at) is distinct from (new.status, new.paused_at))
execute function publish_object('broadcast');

-- The funnel of a broadcast moves with the statuses of its messages: one change for each statement, however many they are.
create or replace function publish_changed_messages() returns trigger language plpgsql as $$
begin
  with changed as materialized (
    select workspace_id, id, conversation_id, status, broadcast_id, error, media_id, size_bytes, outcome_unknown from after
    except
    select workspace_id, id, conversation_id, status, broadcast_id, error, media_id, size_bytes, outcome_unknown from before
  ), statuses as (
    insert into live_changes (workspace_id, kind, conversation_id, object_id, details)
    select workspace_id, 'status', conversation_id, id, json_build_object('status', status) from changed order by id
  )
  insert into live_changes (workspace_id, kind, object_id)
  select distinct workspace_id, 'broadcast', broadcast_id from changed where broadcast_id is not null;
  return null;
end $$;
