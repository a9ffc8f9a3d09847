-- The category that the platform has announced for a template, and the moment from which it holds, if it told one.
alter table templates
  add column coming_category text,
  add column category_changes_at timestamptz(3);
create trigger publish_coming_category after update on templates
for each row when (
  (old.coming_category, old.category_changes_at) is distinct from (new.coming_category, new.category_changes_at)
) execute function publish_object('template');
