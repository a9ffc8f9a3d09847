-- The customer, or the business in the phone app, edited or deleted the message at the platform.
alter table messages add column edited_at timestamptz(3), add column deleted_at timestamptz(3);

-- The token that all ids of one message share, whichever id of the person the platform builds them with. Null for an id of another
-- form. The bytes end with 0x18, the length, the token and 0x00.
create function platform_message_token(platform_message_id text) returns text
language sql immutable strict parallel safe as $$
  select case when platform_message_id ~ '^wamid\.[A-Za-z0-9+/_-]{12,250}={0,2}$'
      and length(rtrim(substr(platform_message_id, 7), '=')) % 4 <> 1 then
    (regexp_match(encode(decode(rpad(letters, (length(letters) + 3) / 4 * 4, '='), 'base64'), 'escape'),
      '\u0018.([0-9A-Za-z]{8,64})(?:\\000)*$'))[1] end
  from (select translate(rtrim(substr(platform_message_id, 7), '='), '-_', '+/')) as t (letters)
$$;

create or replace function publish_changed_messages() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id, details)
  select workspace_id, 'status', conversation_id, id, json_build_object('status', status) from (
    select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown, edited_at, deleted_at from after
    except
    select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown, edited_at, deleted_at from before
  ) changed order by id;
  return null;
end $$;
