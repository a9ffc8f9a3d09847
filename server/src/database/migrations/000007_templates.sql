-- The platform's own time of the last report on the status: an older one that comes late says nothing.
alter table templates add column reported_at timestamptz(3);

-- When the platform took it: it takes only so many new ones of an account in an hour.
alter table templates add column submitted_at timestamptz(3);

-- Each status that a template came to, with its reason, in their order.
create table template_reviews (
  workspace_id uuid not null,
  template_id uuid not null,
  id bigint generated always as identity,
  status text not null,
  rejection_reason text,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, template_id, id),
  foreign key (workspace_id, template_id) references templates on delete cascade
);
insert into template_reviews (workspace_id, template_id, status, rejection_reason, updated_at)
select workspace_id, id, status, rejection_reason, updated_at from templates order by updated_at, id;

-- What was deleted, here or at the platform: its name is blocked for a while, and a list from the platform that still has
-- it does not bring it back.
create table deleted_templates (
  workspace_id uuid not null references workspaces,
  -- The template's.
  id uuid not null,
  waba_id text not null,
  name text not null,
  language text not null,
  platform_template_id text,
  deleted_at timestamptz(3) not null,
  -- When the platform was known to have it no more; absent while its removal there is under way.
  removed_at timestamptz(3),
  primary key (workspace_id, id)
);
create index deleted_templates_name on deleted_templates (workspace_id, name, deleted_at);
create index deleted_templates_account on deleted_templates (workspace_id, waba_id);
