-- How far the phone app has shared its history, by the channel platform's reports. Its chunks come in any order.
alter table channels
  add column history_phase smallint,
  -- In per cent; 100 is the end.
  add column history_progress smallint,
  -- The business declined to share it.
  add column history_declined boolean not null default false;
create trigger publish_changed_history after update on channels
for each row when (
  (old.history_phase, old.history_progress, old.history_declined)
    is distinct from (new.history_phase, new.history_progress, new.history_declined)
) execute function publish_object('channel');
