-- Agents look at what is open, and most is closed: of 200,000 conversations, 4,000 have a tag that one in fifty has, 20,000 are
-- open, and 400 are both. As the week and the tag, so one term says both.
create function open_tags(tags text[], status text) returns text[] language sql immutable parallel safe
return case when status = 'open' then array(select E'\x1fopen ' || tag from unnest(tags[:200]) as tag) else '{}' end;

create or replace function conversation_terms(tags text[], status text, assignee_id uuid, stage_id uuid, channel_type text,
  active_from timestamptz) returns text[] language sql stable parallel safe
return tags || array_remove(array[
    E'\x1fstatus ' || status,
    E'\x1fassignee ' || coalesce(assignee_id::text, 'none'),
    E'\x1fstage ' || stage_id,
    E'\x1fchannel_type ' || channel_type
  ], null) || open_tags(tags, status) || activity_terms(tags || open_tags(tags, status), active_from);
