-- What changed, for the live streams of the console: ids and no text of a customer. Triggers write the rows, so no code path can
-- forget them. Unlogged: a row costs no WAL, and a crash of PostgreSQL empties both tables. The next life has another epoch.
create unlogged table live_changes (
  workspace_id uuid not null,
  -- The order of two changes of one row: the second waits for the first.
  id bigint generated always as identity,
  -- Assigned after the commit. Nothing else follows the order of commits.
  position bigint,
  kind text not null,
  conversation_id uuid,
  -- The message, contact, broadcast, channel, template or user.
  object_id uuid,
  -- The one user that it is for.
  for_user_id uuid,
  -- Those who could see the conversation before.
  former_assignee_id uuid,
  former_team_id uuid,
  details json,
  changed_at timestamptz(3) not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index live_changes_unplaced on live_changes (id) where position is null;
create unique index live_changes_placed on live_changes (position) where position is not null;

create unlogged table live_feed (
  singleton boolean primary key default true check (singleton),
  epoch text not null default left(gen_random_uuid()::text, 8),
  -- The last assigned position, and the last deleted one.
  position bigint not null default 0,
  forgotten bigint not null default 0
);

-- Per statement where rows come in batches. Per row, with a condition, where most updates are none of a console's business: they
-- then call no function. A message implies the change of its conversation's times and counts.
create function publish_new_messages() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id)
  select workspace_id, case kind when 'note' then 'note' else 'message' end, conversation_id, id from after order by id;
  return null;
end $$;
create trigger publish_new_messages after insert on messages referencing new table as after
for each statement execute function publish_new_messages();

-- Not a join: our sessions turn hash joins off, and without them a join compares each row with each.
create function publish_changed_messages() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id, details)
  select workspace_id, 'status', conversation_id, id, json_build_object('status', status) from (
    select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown from after
    except select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown from before
  ) changed order by id;
  return null;
end $$;
create trigger publish_changed_messages after update on messages referencing old table as before new table as after
for each statement execute function publish_changed_messages();

create function publish_mentions() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id, for_user_id)
  select n.workspace_id, 'mention', m.conversation_id, n.message_id, n.user_id
  from after n join messages m on m.workspace_id = n.workspace_id and m.id = n.message_id;
  return null;
end $$;
create trigger publish_mentions after insert on note_mentions referencing new table as after
for each statement execute function publish_mentions();

create function publish_new_conversations() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id) select workspace_id, 'conversation', id from after;
  return null;
end $$;
create trigger publish_new_conversations after insert on conversations referencing new table as after
for each statement execute function publish_new_conversations();

create function publish_conversation() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, conversation_id, former_assignee_id, former_team_id)
  values (old.workspace_id, tg_argv[0], old.id, old.assignee_id, old.team_id);
  return null;
end $$;
create trigger publish_assignment after update of assignee_id, team_id on conversations
for each row when ((old.assignee_id, old.team_id) is distinct from (new.assignee_id, new.team_id))
execute function publish_conversation('assignment');
create trigger publish_conversation after update on conversations
for each row when (
  (old.contact_id, old.identifier, old.is_current, old.status, old.stage_id, old.controller, old.workflow_run_id,
    old.ai_agent_id, old.snoozed_until)
  is distinct from (new.contact_id, new.identifier, new.is_current, new.status, new.stage_id, new.controller,
    new.workflow_run_id, new.ai_agent_id, new.snoozed_until)
) execute function publish_conversation('conversation');
create trigger publish_handover after update of bot_handed_over_at on conversations
for each row when (old.bot_handed_over_at is distinct from new.bot_handed_over_at) execute function publish_conversation('handover');
create trigger publish_deleted_conversation after delete on conversations
for each row when (old.contact_id is not null) execute function publish_conversation('conversation');

create function publish_contact() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, object_id) values (old.workspace_id, 'contact', old.id);
  return null;
end $$;
-- Every message of a customer updates last_activity_at, which the message implies.
create trigger publish_changed_contact after update on contacts
for each row when (
  (old.name, old.email, old.language, old.dialect, old.vip, old.blocked, old.tags, old.stage_id, old.consents::text,
    old.custom_fields::text)
  is distinct from (new.name, new.email, new.language, new.dialect, new.vip, new.blocked, new.tags, new.stage_id,
    new.consents::text, new.custom_fields::text)
) execute function publish_contact();
create trigger publish_deleted_contact after delete on contacts for each row execute function publish_contact();

-- Every new contact has an identity.
create function publish_identities() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, object_id) select distinct workspace_id, 'contact', contact_id from after;
  return null;
end $$;
create trigger publish_new_identities after insert on contact_identities referencing new table as after
for each statement execute function publish_identities();
create trigger publish_changed_identities after update on contact_identities referencing new table as after
for each statement execute function publish_identities();

create function publish_object() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, object_id) values (new.workspace_id, tg_argv[0], new.id);
  return null;
end $$;
create trigger publish_new_broadcast after insert on broadcasts
for each row execute function publish_object('broadcast');
create trigger publish_changed_broadcast after update on broadcasts
for each row when (old.status is distinct from new.status) execute function publish_object('broadcast');
create trigger publish_new_channel after insert on channels
for each row execute function publish_object('channel');
create trigger publish_changed_channel after update on channels
for each row when (
  (old.name, old.status, old.display_phone, old.verified_name, old.quality, old.messaging_tier, old.fault, old.fault_until,
    old.callback_verified_at, old.changed_at)
  is distinct from (new.name, new.status, new.display_phone, new.verified_name, new.quality, new.messaging_tier, new.fault,
    new.fault_until, new.callback_verified_at, new.changed_at)
) execute function publish_object('channel');

create trigger publish_new_template after insert on templates
for each row execute function publish_object('template');
create trigger publish_changed_template after update on templates
for each row when (
  (old.category, old.status, old.rejection_reason, old.quality, old.components::text)
  is distinct from (new.category, new.status, new.rejection_reason, new.quality, new.components::text)
) execute function publish_object('template');
create function publish_deleted_template() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, object_id) values (old.workspace_id, 'template', old.id);
  return null;
end $$;
create trigger publish_deleted_template after delete on templates
for each row execute function publish_deleted_template();

create function publish_progress() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, object_id)
  select distinct workspace_id, 'broadcast', broadcast_id from after where status <> 'waiting';
  return null;
end $$;
create trigger publish_progress after update on broadcast_recipients referencing new table as after
for each statement execute function publish_progress();

-- What a user may see depends on their rights. Their streams follow a change of them before they show any later change.
create trigger publish_new_member after insert on users for each row execute function publish_object('rights');
create trigger publish_changed_rights after update on users
for each row when (
  (old.role, old.person_id, old.own_teams_only, old.removed_at)
  is distinct from (new.role, new.person_id, new.own_teams_only, new.removed_at)
) execute function publish_object('rights');
create trigger publish_changed_member after update on users
for each row when ((old.name, old.available) is distinct from (new.name, new.available))
execute function publish_object('member');

create function publish_team_member() returns trigger language plpgsql as $$
begin
  insert into live_changes (workspace_id, kind, object_id)
  values (coalesce(new.workspace_id, old.workspace_id), 'rights', coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger publish_team_member after insert or delete on team_members
for each row execute function publish_team_member();
