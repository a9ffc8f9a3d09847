-- The tags that contacts have. There may be so many, and to count them by the changes would read them all for each new tag.
create table tags (
  workspace_id uuid not null references workspaces,
  name text not null,
  -- Its last contacts may have lost it in transactions that did not see each other.
  may_be_unused boolean not null default false
);
-- A name may be of any length.
create unique index tags_name on tags (workspace_id, md5(name));
create index tags_unused on tags (workspace_id) where may_be_unused;
alter table tags alter column workspace_id set (n_distinct = 1);

insert into tags (workspace_id, name)
select workspace_id, name from tag_changes group by workspace_id, name having sum(change) > 0;

create or replace function add_tag_changes(workspace_ids uuid[], names text[], changes bigint[]) returns void language plpgsql as $$
begin
  insert into tag_changes (workspace_id, name, change)
  select c.workspace_id, c.name, sum(c.change) from unnest(workspace_ids, names, changes) as c (workspace_id, name, change)
  group by c.workspace_id, c.name having sum(c.change) <> 0;
  -- A tag that is there is not locked, so writers of a tag do not wait for each other.
  insert into tags (workspace_id, name)
  select c.workspace_id, c.name from unnest(workspace_ids, names, changes) as c (workspace_id, name, change)
  group by c.workspace_id, c.name having sum(c.change) > 0 order by c.workspace_id, c.name
  on conflict do nothing;
  if -1 = any (changes) then
    with lost as materialized (
      select c.workspace_id, c.name from unnest(workspace_ids, names, changes) as c (workspace_id, name, change)
      group by c.workspace_id, c.name having sum(c.change) < 0
    ), counted as materialized (
      select l.workspace_id, l.name, (
        select coalesce(sum(t.change), 0) from tag_changes t where t.workspace_id = l.workspace_id and t.name = l.name
          and hashtextextended(t.name, 0) = hashtextextended(l.name, 0)
      ) as contacts
      from lost l
    ), held as materialized (
      select t.ctid as place, n.contacts from counted n
      join tags t on t.workspace_id = n.workspace_id and md5(t.name) = md5(n.name)
      where n.contacts <= 0 or (n.contacts <= 8 and not t.may_be_unused)
      order by t.workspace_id, t.name for update of t
    ), gone as (
      delete from tags where ctid = any (array(select place from held where contacts <= 0))
    )
    update tags set may_be_unused = true where ctid = any (array(select place from held where contacts > 0));
  end if;
  -- One call in twenty sums up the rows of its tags, except those that another transaction is summing up.
  if random() < 0.05 then
    with gone as (
      delete from tag_changes where ctid = any (array(
        select t.ctid from (select distinct c.workspace_id, c.name from unnest(workspace_ids, names) as c (workspace_id, name)) n
        join tag_changes t on t.workspace_id = n.workspace_id and t.name = n.name
          and hashtextextended(t.name, 0) = hashtextextended(n.name, 0)
        for update of t skip locked))
      returning workspace_id, name, change
    )
    insert into tag_changes (workspace_id, name, change)
    select workspace_id, name, sum(change) from gone group by workspace_id, name having sum(change) <> 0;
  end if;
end $$;
