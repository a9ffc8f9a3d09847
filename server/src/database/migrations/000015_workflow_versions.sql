-- People edit workflows in the console. A version tells who saved it: null for the workspace file. A restored version names the one
-- whose definition it repeats.
alter table workflow_versions
  add column saved_by uuid,
  add column restored_from integer,
  add foreign key (workspace_id, saved_by) references users (workspace_id, id);

-- When a person last saved the definition. From then on, the workspace file does not change it.
alter table workflows add column definition_set_at timestamp(3) with time zone;
