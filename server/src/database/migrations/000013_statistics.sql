-- The planner presumes that each workspace is of average size. Among 8,000 small workspaces, or in a table
-- without statistics, an index by workspace_id alone then costs as little as the one with the full key, and reads all rows of a
-- large workspace. So each ANALYZE records one value: a condition on the workspace is not presumed to exclude any row.
do $$
declare
  tenant_table regclass;
begin
  for tenant_table in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attname = 'workspace_id'
  loop
    execute format('alter table %s alter column workspace_id set (n_distinct = 1)', tenant_table);
  end loop;
end $$;
-- Most workspaces have one channel, and few have many. The kinds of job are as unequal as the workspaces, and so are groups.
alter table messages alter column channel_id set (n_distinct = 1);
alter table jobs alter column kind set (n_distinct = 1), alter column group_id set (n_distinct = 1);
alter table job_groups alter column kind set (n_distinct = 1);
