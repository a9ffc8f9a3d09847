-- How many steps of a job are done, for work that is too large for one transaction. Each step counts itself, so it happens once.
alter table jobs add column steps_done integer not null default 0;

-- One look-up for each key. As a semi-join it was planned while the table was empty, and then read all jobs of the kind for each
-- deleted job: with 16,000 jobs, the end of 256 took more than 5 s.
create or replace function check_queues() returns trigger language plpgsql as $$
begin
  if old.queue_key is not null
    and exists (select from jobs j where j.kind = old.kind and j.queue_key = old.queue_key) then
    insert into queue_checks (kind, queue_key) values (old.kind, old.queue_key);
  end if;
  if new.queue_key is not null
    and exists (select from jobs j where j.kind = old.kind and j.queue_key = new.queue_key) then
    insert into queue_checks (kind, queue_key) values (old.kind, new.queue_key);
  end if;
  return null;
end $$;
