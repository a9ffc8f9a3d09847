-- Agents look at what is open, and most is closed: of 200,000 conversations, 4,000 have a tag that one in fifty has, 20,000 are
-- open, and 400 are both. As the week and the tag, so one term says both. Not of open, week and tag: the more terms a tag has, the
-- fewer tags of a contact are indexed.
create function open_tags(tags text[], status text) returns text[] language sql immutable parallel safe
return case when status = 'open' then array(select E'\x1fopen ' || tag from unnest(tags[:200]) as tag) else '{}' end;

create or replace function conversation_terms(tags text[], status text, assignee_id uuid, stage_id uuid, channel_type text,
  active_from timestamptz) returns text[] language sql stable parallel safe
return tags || array_remove(array[
    E'\x1fstatus ' || status,
    E'\x1fassignee ' || coalesce(assignee_id::text, 'none'),
    E'\x1fstage ' || stage_id,
    E'\x1fchannel_type ' || channel_type
  ], null) || open_tags(tags, status) || activity_terms(tags, active_from);

-- When a week has just begun, those of it and of the one before are seven days, and what fills no page of them was looked for in
-- those of up to two months. Between the two stands the fortnight. They are counted from a Monday, as weeks begin.
create function fortnight_of(at timestamptz) returns integer language sql immutable parallel safe
return floor(((at at time zone 'UTC')::date - date '1970-01-05') / 14.0)::integer;

create function active_fortnights(active_from timestamptz) returns text[] language sql immutable parallel safe
return array[
  E'\x1factive fortnight ' || fortnight_of(active_from),
  E'\x1factive fortnight ' || fortnight_of(active_from) + 1
];

-- Since when those were active whose terms say the fortnight of this moment.
create function active_since_fortnight(at timestamptz) returns timestamptz language sql immutable parallel safe
return (date '1970-01-05' + 14 * (fortnight_of(at) - 1))::timestamp at time zone 'UTC';

create or replace function active_periods(active_from timestamptz) returns text[] language sql stable parallel safe
return active_months(active_from) || active_weeks(active_from) || active_fortnights(active_from);
