-- The schema after all migrations, for reviewers. `npm run generate` writes it from a migrated database; nothing reads it.

create extension btree_gin;

create extension pg_trgm;

create text search configuration knowledge (parser = "default");
alter text search configuration knowledge add mapping for asciihword with simple;
alter text search configuration knowledge add mapping for asciiword with english_stem;
alter text search configuration knowledge add mapping for email with simple;
alter text search configuration knowledge add mapping for file with simple;
alter text search configuration knowledge add mapping for float with simple;
alter text search configuration knowledge add mapping for host with simple;
alter text search configuration knowledge add mapping for hword with simple;
alter text search configuration knowledge add mapping for hword_asciipart with simple;
alter text search configuration knowledge add mapping for hword_numpart with simple;
alter text search configuration knowledge add mapping for hword_part with simple;
alter text search configuration knowledge add mapping for int with simple;
alter text search configuration knowledge add mapping for numhword with simple;
alter text search configuration knowledge add mapping for numword with simple;
alter text search configuration knowledge add mapping for sfloat with simple;
alter text search configuration knowledge add mapping for uint with simple;
alter text search configuration knowledge add mapping for url with simple;
alter text search configuration knowledge add mapping for url_path with simple;
alter text search configuration knowledge add mapping for version with simple;
alter text search configuration knowledge add mapping for word with arabic_stem;

create table address_book_entries (
  workspace_id uuid not null,
  channel_id uuid not null,
  person text not null,
  name text not null,
  reported_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, channel_id, person),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels(workspace_id, id)
);
alter table address_book_entries alter column workspace_id set (n_distinct=1);

create table ai_agents (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  status text,
  languages text[] not null default '{}'::text[],
  instructions text,
  monthly_credits bigint,
  file_name text,
  changed_at timestamp(3) with time zone,
  proposes boolean not null default false,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table ai_agents alter column workspace_id set (n_distinct=1);

create table ai_answers (
  workspace_id uuid not null,
  id uuid not null,
  ai_agent_id uuid not null,
  conversation_id uuid not null,
  outcome text not null,
  reason text,
  message_id uuid,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, ai_agent_id) REFERENCES ai_agents(workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE
);
alter table ai_answers alter column workspace_id set (n_distinct=1);
CREATE INDEX ai_answers_conversation ON ai_answers USING btree (workspace_id, conversation_id);
CREATE INDEX ai_answers_message ON ai_answers USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);

create table ai_budgets (
  workspace_id uuid not null,
  monthly_credits bigint,
  changed_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table ai_budgets alter column workspace_id set (n_distinct=1);

create table ai_usage (
  workspace_id uuid not null,
  id uuid not null,
  credits integer not null,
  created_at timestamp(3) with time zone not null,
  ai_agent_id uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, ai_agent_id) REFERENCES ai_agents(workspace_id, id)
);
alter table ai_usage alter column workspace_id set (n_distinct=1);
CREATE INDEX ai_usage_age ON ai_usage USING btree (workspace_id, created_at);
CREATE INDEX ai_usage_agent ON ai_usage USING btree (workspace_id, ai_agent_id, created_at) WHERE (ai_agent_id IS NOT NULL);

create table allowance_uses (
  workspace_id uuid not null,
  channel_id uuid not null,
  category text not null,
  month date not null,
  used integer not null,
  PRIMARY KEY (workspace_id, channel_id, category, month),
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels(workspace_id, id)
);
alter table allowance_uses alter column workspace_id set (n_distinct=1);

create table allowances (
  workspace_id uuid not null,
  category text not null,
  from_date date not null default '-infinity'::date,
  messages integer not null,
  PRIMARY KEY (workspace_id, category, from_date),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table allowances alter column workspace_id set (n_distinct=1);

create table api_keys (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  environment text not null,
  scopes text[] not null,
  key_hash bytea not null,
  key_prefix text not null,
  created_by uuid,
  created_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  changed_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (key_hash),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES users(workspace_id, id)
);
alter table api_keys alter column workspace_id set (n_distinct=1);
CREATE UNIQUE INDEX api_keys_live_name ON api_keys USING btree (workspace_id, name) WHERE (revoked_at IS NULL);

create table audit_entries (
  workspace_id uuid not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  user_id uuid not null,
  action text not null,
  targets json not null,
  address text not null,
  details json,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table audit_entries alter column workspace_id set (n_distinct=1);
CREATE INDEX audit_entries_user ON audit_entries USING btree (workspace_id, user_id, id);

create table broadcast_recipients (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  "position" integer not null,
  identifier text not null,
  params text[] not null default '{}'::text[],
  status text not null default 'waiting'::text,
  error text,
  message_id uuid,
  conversation_id uuid,
  replied_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, broadcast_id, "position"),
  UNIQUE (workspace_id, broadcast_id, identifier),
  FOREIGN KEY (workspace_id, broadcast_id) REFERENCES broadcasts(workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=85);
alter table broadcast_recipients alter column workspace_id set (n_distinct=1);
CREATE INDEX broadcast_recipients_message ON broadcast_recipients USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX broadcast_recipients_number ON broadcast_recipients USING btree (workspace_id, identifier);
CREATE INDEX broadcast_recipients_reached ON broadcast_recipients USING btree (workspace_id, conversation_id, broadcast_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX broadcast_recipients_unreplied ON broadcast_recipients USING btree (workspace_id, conversation_id) WHERE ((conversation_id IS NOT NULL) AND (replied_at IS NULL));
CREATE INDEX broadcast_recipients_waiting ON broadcast_recipients USING btree (workspace_id, broadcast_id, "position") WHERE (status = 'waiting'::text);
CREATE TRIGGER publish_progress AFTER UPDATE ON broadcast_recipients REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION publish_progress();

create table broadcasts (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  channel_id uuid not null,
  template_name text not null,
  template_language text not null,
  tags text[],
  stage_id uuid,
  status text not null,
  send_at timestamp(3) with time zone not null,
  created_by uuid,
  created_at timestamp(3) with time zone not null,
  paused_at timestamp(3) with time zone,
  paused_by uuid,
  held_payload text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels(workspace_id, id)
);
alter table broadcasts alter column workspace_id set (n_distinct=1);
CREATE TRIGGER publish_changed_broadcast AFTER UPDATE ON broadcasts FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.paused_at IS DISTINCT FROM new.paused_at))) EXECUTE FUNCTION publish_object('broadcast');
CREATE TRIGGER publish_new_broadcast AFTER INSERT ON broadcasts FOR EACH ROW EXECUTE FUNCTION publish_object('broadcast');

create table business_hours (
  workspace_id uuid not null,
  weekly json not null,
  closed_days json not null,
  away_message text,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table business_hours alter column workspace_id set (n_distinct=1);

create table canned_replies (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid,
  name text not null,
  name_key text not null,
  body text not null,
  language text,
  PRIMARY KEY (workspace_id, id),
  UNIQUE NULLS NOT DISTINCT (workspace_id, user_id, name_key, language),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table canned_replies alter column workspace_id set (n_distinct=1);
CREATE INDEX canned_replies_of_name ON canned_replies USING btree (workspace_id, name_key, id);

create table channels (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  name text,
  status text,
  display_phone text,
  verified_name text,
  quality text,
  waba_id text not null,
  phone_number_id text not null,
  access_token bytea not null,
  app_secret bytea not null,
  app_secret_fingerprint bytea not null,
  verify_token bytea not null,
  verify_token_fingerprint bytea not null,
  messaging_tier integer,
  fault text,
  fault_until timestamp(3) with time zone,
  callback_verified_at timestamp(3) with time zone,
  changed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  disconnected_at timestamp(3) with time zone,
  marketing_route text not null default 'messages'::text,
  timezone text,
  business_username text,
  business_username_status text,
  business_username_at timestamp(3) with time zone,
  history_phase smallint,
  history_progress smallint,
  history_declined boolean not null default false,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table channels alter column workspace_id set (n_distinct=1);
CREATE INDEX channels_account ON channels USING btree (waba_id);
CREATE INDEX channels_app_secret ON channels USING btree (app_secret_fingerprint);
CREATE INDEX channels_former_number ON channels USING btree (phone_number_id) WHERE (disconnected_at IS NOT NULL);
CREATE INDEX channels_verify_token ON channels USING btree (verify_token_fingerprint);
CREATE UNIQUE INDEX channels_number ON channels USING btree (phone_number_id) WHERE (disconnected_at IS NULL);
CREATE TRIGGER publish_changed_channel AFTER UPDATE ON channels FOR EACH ROW WHEN (((((((((((old.name IS DISTINCT FROM new.name) OR (old.status IS DISTINCT FROM new.status)) OR (old.display_phone IS DISTINCT FROM new.display_phone)) OR (old.verified_name IS DISTINCT FROM new.verified_name)) OR (old.quality IS DISTINCT FROM new.quality)) OR (old.messaging_tier IS DISTINCT FROM new.messaging_tier)) OR (old.fault IS DISTINCT FROM new.fault)) OR (old.fault_until IS DISTINCT FROM new.fault_until)) OR (old.callback_verified_at IS DISTINCT FROM new.callback_verified_at)) OR (old.changed_at IS DISTINCT FROM new.changed_at))) EXECUTE FUNCTION publish_object('channel');
CREATE TRIGGER publish_changed_history AFTER UPDATE ON channels FOR EACH ROW WHEN ((((old.history_phase IS DISTINCT FROM new.history_phase) OR (old.history_progress IS DISTINCT FROM new.history_progress)) OR (old.history_declined IS DISTINCT FROM new.history_declined))) EXECUTE FUNCTION publish_object('channel');
CREATE TRIGGER publish_changed_username AFTER UPDATE ON channels FOR EACH ROW WHEN (((old.business_username IS DISTINCT FROM new.business_username) OR (old.business_username_status IS DISTINCT FROM new.business_username_status))) EXECUTE FUNCTION publish_object('channel');
CREATE TRIGGER publish_new_channel AFTER INSERT ON channels FOR EACH ROW EXECUTE FUNCTION publish_object('channel');

create table closing_categories (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  "position" integer not null,
  changed_at timestamp(3) with time zone,
  removed_at timestamp(3) with time zone,
  file_name text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table closing_categories alter column workspace_id set (n_distinct=1);
CREATE UNIQUE INDEX closing_categories_name ON closing_categories USING btree (workspace_id, name) WHERE (removed_at IS NULL);

create table consent_records (
  workspace_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  consent text not null,
  value json not null,
  source text not null,
  shown_text text,
  message_id uuid,
  actor_kind text not null,
  actor_id uuid,
  actor_name text,
  decided_at timestamp(3) with time zone not null,
  recorded_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE
);
alter table consent_records alter column workspace_id set (n_distinct=1);
CREATE INDEX consent_records_contact ON consent_records USING btree (workspace_id, contact_id, decided_at DESC, id DESC);

create table consent_settings (
  workspace_id uuid not null,
  stop_words text[] not null,
  start_words text[] not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table consent_settings alter column workspace_id set (n_distinct=1);

create table contact_former_names (
  workspace_id uuid not null,
  contact_id uuid not null,
  name text not null,
  left_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, contact_id, name),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE
);
alter table contact_former_names alter column workspace_id set (n_distinct=1);
CREATE INDEX contact_former_names_name ON contact_former_names USING btree (workspace_id, name);

create table contact_identities (
  workspace_id uuid not null,
  channel_type text not null,
  identifier text not null,
  identifier_key text not null default ''::text,
  contact_id uuid not null,
  display_name text,
  wa_id text,
  user_id text,
  created_at timestamp(3) with time zone not null,
  waba_id text,
  number_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, channel_type, identifier),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE
);
alter table contact_identities alter column workspace_id set (n_distinct=1);
CREATE INDEX contact_identities_contact ON contact_identities USING btree (workspace_id, contact_id);
CREATE UNIQUE INDEX contact_identities_user_id ON contact_identities USING btree (workspace_id, channel_type, user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX contact_identities_wa_id ON contact_identities USING btree (workspace_id, channel_type, wa_id) WHERE (wa_id IS NOT NULL);
CREATE TRIGGER publish_changed_identities AFTER UPDATE ON contact_identities REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION publish_identities();
CREATE TRIGGER publish_new_identities AFTER INSERT ON contact_identities REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION publish_identities();
CREATE TRIGGER search_by_moved_identity AFTER UPDATE OF identifier, identifier_key, contact_id ON contact_identities FOR EACH ROW WHEN (((old.identifier_key IS DISTINCT FROM new.identifier_key) OR (old.contact_id IS DISTINCT FROM new.contact_id))) EXECUTE FUNCTION search_by_moved_identity();
CREATE TRIGGER search_by_new_identities AFTER INSERT ON contact_identities REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION search_by_new_identities();

create table contact_import_rows (
  workspace_id uuid not null,
  import_id uuid not null,
  line integer not null,
  contact json,
  cells text[] not null,
  reason text,
  names text[] not null,
  PRIMARY KEY (workspace_id, import_id, line),
  FOREIGN KEY (workspace_id, import_id) REFERENCES contact_imports(workspace_id, id) ON DELETE CASCADE
);
alter table contact_import_rows alter column workspace_id set (n_distinct=1);
CREATE INDEX contact_import_rows_names ON contact_import_rows USING gin (workspace_id, names);

create table contact_imports (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  file_name text not null,
  header text[] not null,
  status text not null,
  rows_total integer not null,
  rows_received integer not null default 0,
  rows_done integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  left_out_count integer not null default 0,
  done_line integer not null default '-1'::integer,
  created_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table contact_imports alter column workspace_id set (n_distinct=1);
CREATE INDEX contact_imports_age ON contact_imports USING btree (created_at);
CREATE TRIGGER publish_changed_import AFTER UPDATE ON contact_imports FOR EACH ROW WHEN ((((old.status IS DISTINCT FROM new.status) OR (old.rows_done IS DISTINCT FROM new.rows_done)) OR (old.left_out_count IS DISTINCT FROM new.left_out_count))) EXECUTE FUNCTION publish_object('contact_import');
CREATE TRIGGER publish_new_import AFTER INSERT ON contact_imports FOR EACH ROW EXECUTE FUNCTION publish_object('contact_import');

create table contact_search (
  workspace_id uuid not null,
  contact_id uuid not null,
  name_key text not null,
  address_key text not null,
  tags text[] not null,
  stage_id uuid,
  channel_types text[] not null,
  PRIMARY KEY (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE
);
alter table contact_search alter column workspace_id set (n_distinct=1);
CREATE INDEX contact_search_terms ON contact_search USING gin (workspace_id, name_key gin_trgm_ops, address_key gin_trgm_ops, tags, stage_id, channel_types) WITH (fastupdate='on', gin_pending_list_limit='512');

create table contacts (
  workspace_id uuid not null,
  id uuid not null,
  name text,
  name_key text not null default ''::text,
  email text,
  email_key text not null default ''::text,
  language text,
  dialect text,
  vip boolean not null default false,
  blocked boolean not null default false,
  tags text[] not null default '{}'::text[],
  stage_id uuid,
  consents json not null default '{}'::json,
  marketing_told_at timestamp(3) with time zone,
  custom_fields json not null default '{}'::json,
  last_activity_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES stages(workspace_id, id)
);
alter table contacts alter column workspace_id set (n_distinct=1);
CREATE INDEX contacts_activity ON contacts USING btree (workspace_id, COALESCE(last_activity_at, created_at) DESC, id DESC);
CREATE TRIGGER follow_changed_contacts AFTER UPDATE ON contacts REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION follow_changed_contacts();
CREATE TRIGGER follow_deleted_contacts AFTER DELETE ON contacts REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_contacts();
CREATE TRIGGER follow_new_contacts AFTER INSERT ON contacts REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION follow_new_contacts();
CREATE TRIGGER publish_changed_contact AFTER UPDATE ON contacts FOR EACH ROW WHEN (((((((((((old.name IS DISTINCT FROM new.name) OR (old.email IS DISTINCT FROM new.email)) OR (old.language IS DISTINCT FROM new.language)) OR (old.dialect IS DISTINCT FROM new.dialect)) OR (old.vip IS DISTINCT FROM new.vip)) OR (old.blocked IS DISTINCT FROM new.blocked)) OR (old.tags IS DISTINCT FROM new.tags)) OR (old.stage_id IS DISTINCT FROM new.stage_id)) OR ((old.consents)::text IS DISTINCT FROM (new.consents)::text)) OR ((old.custom_fields)::text IS DISTINCT FROM (new.custom_fields)::text))) EXECUTE FUNCTION publish_contact();
CREATE TRIGGER publish_deleted_contact AFTER DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION publish_contact();
CREATE TRIGGER search_by_changed_contact AFTER UPDATE OF name_key, email_key, tags, stage_id ON contacts FOR EACH ROW WHEN (((((old.name_key IS DISTINCT FROM new.name_key) OR (old.email_key IS DISTINCT FROM new.email_key)) OR (old.tags IS DISTINCT FROM new.tags)) OR (old.stage_id IS DISTINCT FROM new.stage_id))) EXECUTE FUNCTION search_by_changed_contact();

create table conversation_changes (
  workspace_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  kind text not null,
  actor_kind text not null,
  actor_id uuid,
  value_id uuid,
  controller text,
  until timestamp(3) with time zone,
  reason_id uuid,
  summary text,
  created_at timestamp(3) with time zone not null,
  report_key text,
  report json,
  PRIMARY KEY (workspace_id, conversation_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE
);
alter table conversation_changes alter column workspace_id set (n_distinct=1);
CREATE UNIQUE INDEX conversation_changes_reported ON conversation_changes USING btree (workspace_id, report_key) WHERE (report_key IS NOT NULL);
CREATE TRIGGER publish_reported_line AFTER INSERT OR UPDATE OF report ON conversation_changes FOR EACH ROW WHEN ((new.report_key IS NOT NULL)) EXECUTE FUNCTION publish_reported_line();

create table conversation_closings (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  opened_at timestamp(3) with time zone not null,
  closed_at timestamp(3) with time zone not null,
  closed_by uuid,
  category_id uuid,
  summary text,
  stage_id uuid,
  assignee_id uuid,
  team_id uuid,
  survey_message_id uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, category_id) REFERENCES closing_categories(workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE
);
alter table conversation_closings alter column workspace_id set (n_distinct=1);
CREATE INDEX conversation_closings_closed_at ON conversation_closings USING btree (workspace_id, closed_at);
CREATE INDEX conversation_closings_of_conversation ON conversation_closings USING btree (workspace_id, conversation_id);

create table conversation_counts (
  workspace_id uuid not null,
  stage_id uuid,
  session integer not null,
  open bigint not null,
  unreplied bigint not null,
  unassigned bigint not null,
  closed bigint not null,
  UNIQUE NULLS NOT DISTINCT (workspace_id, stage_id, session),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
) with (fillfactor=70);
alter table conversation_counts alter column workspace_id set (n_distinct=1);

create table conversation_prices (
  workspace_id uuid not null,
  category text not null,
  fee_minor bigint not null,
  PRIMARY KEY (workspace_id, category),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table conversation_prices alter column workspace_id set (n_distinct=1);

create table conversation_settings (
  workspace_id uuid not null,
  assignment text not null default 'round_robin'::text,
  csat_text text,
  last_assignee_id uuid,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table conversation_settings alter column workspace_id set (n_distinct=1);

create table conversations (
  workspace_id uuid not null,
  id uuid not null,
  contact_id uuid,
  channel_id uuid not null,
  channel_type text not null,
  identifier text,
  is_current boolean not null default true,
  status text not null default 'open'::text,
  stage_id uuid,
  assignee_id uuid,
  team_id uuid,
  controller text not null default 'human'::text,
  workflow_run_id uuid,
  ai_agent_id uuid,
  bot_handed_over_at timestamp(3) with time zone,
  unread_count integer not null default 0,
  last_customer_at timestamp(3) with time zone,
  last_message_at timestamp(3) with time zone not null,
  last_customer_message_id uuid,
  last_business_message_id uuid,
  first_customer_at timestamp(3) with time zone,
  first_response_at timestamp(3) with time zone,
  window_expires_at timestamp(3) with time zone,
  snoozed_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  reopened_at timestamp(3) with time zone,
  away_period text,
  held_by_platform boolean not null default false,
  platform_control_at timestamp(3) with time zone,
  entry_answerable_until timestamp(3) with time zone,
  free_until timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, ai_agent_id) REFERENCES ai_agents(workspace_id, id),
  FOREIGN KEY (workspace_id, assignee_id) REFERENCES users(workspace_id, id),
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels(workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES stages(workspace_id, id),
  FOREIGN KEY (workspace_id, team_id) REFERENCES teams(workspace_id, id)
) with (fillfactor=85);
alter table conversations alter column workspace_id set (n_distinct=1);
CREATE INDEX conversations_ai_agent ON conversations USING btree (workspace_id, ai_agent_id) WHERE (ai_agent_id IS NOT NULL);
CREATE INDEX conversations_assignee ON conversations USING btree (workspace_id, COALESCE(assignee_id, '00000000-0000-0000-0000-000000000000'::uuid), status, last_message_at DESC, id DESC);
CREATE INDEX conversations_channel_type ON conversations USING btree (workspace_id, channel_type, status, last_message_at DESC, id DESC) WHERE (channel_type <> 'chatapp'::text);
CREATE INDEX conversations_contact ON conversations USING btree (workspace_id, contact_id);
CREATE INDEX conversations_created ON conversations USING btree (workspace_id, created_at);
CREATE INDEX conversations_snoozed ON conversations USING btree (workspace_id, snoozed_until, id) WHERE (snoozed_until IS NOT NULL);
CREATE INDEX conversations_stage ON conversations USING btree (workspace_id, stage_id, status, last_message_at DESC, id DESC) WHERE (stage_id IS NOT NULL);
CREATE INDEX conversations_status ON conversations USING btree (workspace_id, status, last_message_at DESC, id DESC);
CREATE INDEX conversations_team ON conversations USING btree (workspace_id, team_id, status, last_message_at DESC, id DESC) WHERE (team_id IS NOT NULL);
CREATE UNIQUE INDEX conversations_current ON conversations USING btree (workspace_id, contact_id, channel_id) WHERE is_current;
CREATE TRIGGER conversations_created AFTER INSERT ON conversations REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION count_conversations();
CREATE TRIGGER conversations_deleted AFTER DELETE ON conversations REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION count_conversations();
CREATE TRIGGER conversations_moved AFTER UPDATE ON conversations REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION recount_conversations();
CREATE TRIGGER publish_assignment AFTER UPDATE OF assignee_id, team_id ON conversations FOR EACH ROW WHEN (((old.assignee_id IS DISTINCT FROM new.assignee_id) OR (old.team_id IS DISTINCT FROM new.team_id))) EXECUTE FUNCTION publish_conversation('assignment');
CREATE TRIGGER publish_conversation AFTER UPDATE ON conversations FOR EACH ROW WHEN ((((((((((old.contact_id IS DISTINCT FROM new.contact_id) OR (old.identifier IS DISTINCT FROM new.identifier)) OR (old.is_current IS DISTINCT FROM new.is_current)) OR (old.status IS DISTINCT FROM new.status)) OR (old.stage_id IS DISTINCT FROM new.stage_id)) OR (old.controller IS DISTINCT FROM new.controller)) OR (old.workflow_run_id IS DISTINCT FROM new.workflow_run_id)) OR (old.ai_agent_id IS DISTINCT FROM new.ai_agent_id)) OR (old.snoozed_until IS DISTINCT FROM new.snoozed_until))) EXECUTE FUNCTION publish_conversation('conversation');
CREATE TRIGGER publish_deleted_conversation AFTER DELETE ON conversations FOR EACH ROW WHEN ((old.contact_id IS NOT NULL)) EXECUTE FUNCTION publish_conversation('conversation');
CREATE TRIGGER publish_handover AFTER UPDATE OF bot_handed_over_at ON conversations FOR EACH ROW WHEN ((old.bot_handed_over_at IS DISTINCT FROM new.bot_handed_over_at)) EXECUTE FUNCTION publish_conversation('handover');
CREATE TRIGGER publish_new_conversations AFTER INSERT ON conversations REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION publish_new_conversations();

create table custom_fields (
  workspace_id uuid not null,
  id uuid not null,
  key text not null,
  label text,
  type text not null,
  options text[],
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table custom_fields alter column workspace_id set (n_distinct=1);
CREATE UNIQUE INDEX custom_fields_key ON custom_fields USING btree (workspace_id, md5(key));

create table deleted_message_counts (
  workspace_id uuid not null,
  quarter_at timestamp(3) with time zone not null,
  sent bigint not null,
  PRIMARY KEY (workspace_id, quarter_at),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table deleted_message_counts alter column workspace_id set (n_distinct=1);

create table deleted_recipient_counts (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  recipients integer not null,
  replied integer not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  PRIMARY KEY (workspace_id, broadcast_id),
  FOREIGN KEY (workspace_id, broadcast_id) REFERENCES broadcasts(workspace_id, id)
);
alter table deleted_recipient_counts alter column workspace_id set (n_distinct=1);

create table deleted_templates (
  workspace_id uuid not null,
  id uuid not null,
  waba_id text not null,
  name text not null,
  language text not null,
  platform_template_id text,
  deleted_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table deleted_templates alter column workspace_id set (n_distinct=1);
CREATE INDEX deleted_templates_account ON deleted_templates USING btree (workspace_id, waba_id);
CREATE INDEX deleted_templates_name ON deleted_templates USING btree (workspace_id, name, deleted_at);

create table drafts (
  workspace_id uuid not null,
  user_id uuid not null,
  conversation_id uuid not null,
  kind text not null,
  body text not null,
  version uuid not null,
  updated_at timestamp(3) with time zone not null,
  send jsonb,
  PRIMARY KEY (workspace_id, user_id, conversation_id, kind),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table drafts alter column workspace_id set (n_distinct=1);
CREATE INDEX drafts_of_conversation ON drafts USING btree (workspace_id, conversation_id);
CREATE INDEX drafts_updated ON drafts USING btree (workspace_id, user_id, updated_at DESC, version DESC);

create table erased_calls (
  workspace_id uuid not null,
  digest uuid not null,
  called_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, digest),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table erased_calls alter column workspace_id set (n_distinct=1);
CREATE INDEX erased_calls_called_at ON erased_calls USING btree (called_at);

create table erased_places (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  channel_id uuid not null,
  taken_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id)
);
alter table erased_places alter column workspace_id set (n_distinct=1);
CREATE INDEX erased_places_of_channel ON erased_places USING btree (workspace_id, channel_id, taken_at);

create table erasure_receipts (
  workspace_id uuid not null,
  id uuid not null,
  key_id text not null,
  receipt text not null,
  signature bytea not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (key_id) REFERENCES receipt_keys(id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table erasure_receipts alter column workspace_id set (n_distinct=1);

create table event_feed (
  singleton boolean not null default true,
  "position" bigint not null default 0,
  PRIMARY KEY (singleton),
  CHECK (singleton)
);

create table events (
  workspace_id uuid not null,
  id uuid not null,
  "position" bigint,
  type text not null,
  payload text not null,
  conversation_id uuid,
  contact_id uuid,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table events alter column workspace_id set (n_distinct=1);
CREATE INDEX events_of_contact ON events USING btree (workspace_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX events_of_conversation ON events USING btree (workspace_id, conversation_id, substr(payload, (strpos(payload, '"message":{"id":"'::text) + 17), 30)) WHERE (conversation_id IS NOT NULL);
CREATE INDEX events_position_of_workspace ON events USING btree (workspace_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_unplaced ON events USING btree (created_at, id) WHERE ("position" IS NULL);
CREATE UNIQUE INDEX events_position ON events USING btree ("position") WHERE ("position" IS NOT NULL);

create table idempotency_keys (
  workspace_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  conversation_id uuid,
  contact_id uuid,
  created_at timestamp(3) with time zone not null,
  headers text,
  PRIMARY KEY (workspace_id, operation, key),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table idempotency_keys alter column workspace_id set (n_distinct=1);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_of_contact ON idempotency_keys USING btree (workspace_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX idempotency_keys_of_conversation ON idempotency_keys USING btree (workspace_id, conversation_id) WHERE (conversation_id IS NOT NULL);

create table job_groups (
  kind text not null,
  group_id uuid not null,
  paused_until timestamp(3) with time zone not null,
  PRIMARY KEY (kind, group_id)
);
alter table job_groups alter column kind set (n_distinct=1);
CREATE INDEX job_groups_paused ON job_groups USING btree (kind, paused_until);

create table jobs (
  id bigint not null generated always as identity,
  kind text not null,
  group_id uuid not null,
  tenant_id uuid,
  queue_key uuid,
  payload text not null,
  run_at timestamp(3) with time zone not null,
  is_ready boolean not null default true,
  wakes_at timestamp(3) with time zone,
  ready_group_id uuid generated always as (
CASE
    WHEN is_ready THEN group_id
    ELSE NULL::uuid
END),
  ready_tenant_id uuid generated always as (
CASE
    WHEN is_ready THEN tenant_id
    ELSE NULL::uuid
END),
  attempts integer not null default 0,
  failures integer not null default 0,
  worker_id integer,
  leased_until timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  steps_done integer not null default 0,
  PRIMARY KEY (id),
  CHECK (((wakes_at IS NULL) OR (NOT is_ready)))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, autovacuum_analyze_threshold=2147483647);
alter table jobs alter column group_id set (n_distinct=1);
alter table jobs alter column kind set (n_distinct=1);
CREATE INDEX jobs_of_group ON jobs USING btree (kind, group_id, run_at, id);
CREATE INDEX jobs_of_queue ON jobs USING btree (kind, queue_key, id) WHERE (queue_key IS NOT NULL);
CREATE INDEX jobs_ready ON jobs USING btree (kind, ready_group_id, run_at, id) WHERE (ready_group_id IS NOT NULL);
CREATE INDEX jobs_ready_of_tenant ON jobs USING btree (kind, ready_tenant_id, ready_group_id, run_at, id) WHERE (ready_tenant_id IS NOT NULL);
CREATE INDEX jobs_waiting ON jobs USING btree (kind, wakes_at) WHERE (wakes_at IS NOT NULL);
CREATE TRIGGER check_queue_after_delete AFTER DELETE ON jobs FOR EACH ROW WHEN ((old.queue_key IS NOT NULL)) EXECUTE FUNCTION check_queues();
CREATE TRIGGER check_queues_after_move AFTER UPDATE OF queue_key ON jobs FOR EACH ROW WHEN ((old.queue_key IS DISTINCT FROM new.queue_key)) EXECUTE FUNCTION check_queues();
CREATE TRIGGER place_job BEFORE INSERT ON jobs FOR EACH ROW WHEN (((new.queue_key IS NOT NULL) OR (new.run_at > clock_timestamp()))) EXECUTE FUNCTION place_job();

create table knowledge_passages (
  workspace_id uuid not null,
  source_id uuid not null,
  "position" integer not null,
  body text not null,
  ai_agent_ids uuid[],
  terms integer[] not null,
  embedding bytea,
  PRIMARY KEY (workspace_id, source_id, "position"),
  FOREIGN KEY (workspace_id, source_id) REFERENCES knowledge_sources(workspace_id, id) ON DELETE CASCADE
);
alter table knowledge_passages alter column workspace_id set (n_distinct=1);
CREATE INDEX knowledge_passages_terms ON knowledge_passages USING gin (terms) WITH (fastupdate='on', gin_pending_list_limit='512');

create table knowledge_sources (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  name text not null,
  media_id uuid,
  body text,
  ai_agent_ids uuid[],
  status text not null,
  error text,
  passages integer not null default 0,
  created_at timestamp(3) with time zone not null,
  indexed_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table knowledge_sources alter column workspace_id set (n_distinct=1);
CREATE INDEX knowledge_sources_name ON knowledge_sources USING btree (workspace_id, name) WHERE (type = 'url'::text);

create table knowledge_term_counts (
  workspace_id uuid not null,
  term integer not null,
  passages integer not null,
  PRIMARY KEY (workspace_id, term),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
) with (fillfactor=85);
alter table knowledge_term_counts alter column workspace_id set (n_distinct=1);

create table ledger_entries (
  workspace_id uuid not null,
  reference text not null,
  kind text not null,
  category text,
  amount_minor bigint not null,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, reference),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table ledger_entries alter column workspace_id set (n_distinct=1);
CREATE INDEX ledger_entries_age ON ledger_entries USING btree (workspace_id, created_at, category);

create table live_changes (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  "position" bigint,
  kind text not null,
  conversation_id uuid,
  object_id uuid,
  for_user_id uuid,
  former_assignee_id uuid,
  former_team_id uuid,
  details json,
  changed_at timestamp(3) with time zone not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
alter table live_changes alter column workspace_id set (n_distinct=1);
CREATE INDEX live_changes_unplaced ON live_changes USING btree (id) WHERE ("position" IS NULL);
CREATE UNIQUE INDEX live_changes_placed ON live_changes USING btree ("position") WHERE ("position" IS NOT NULL);

create table live_feed (
  singleton boolean not null default true,
  epoch text not null default "left"((gen_random_uuid())::text, 8),
  "position" bigint not null default 0,
  forgotten bigint not null default 0,
  PRIMARY KEY (singleton),
  CHECK (singleton)
);

create table media (
  workspace_id uuid not null,
  id uuid not null,
  mime text not null,
  filename text,
  size_bytes bigint not null,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table media alter column workspace_id set (n_distinct=1);
CREATE INDEX media_age ON media USING btree (created_at, id);

create table media_on_platform (
  workspace_id uuid not null,
  media_id uuid not null,
  channel_id uuid not null,
  platform_media_id text not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, media_id, channel_id),
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels(workspace_id, id),
  FOREIGN KEY (workspace_id, media_id) REFERENCES media(workspace_id, id) ON DELETE CASCADE
);
alter table media_on_platform alter column workspace_id set (n_distinct=1);

create table message_search (
  workspace_id uuid not null,
  message_id uuid not null,
  conversation_id uuid not null,
  written_by text not null,
  segment_terms tsvector not null,
  PRIMARY KEY (workspace_id, message_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE
);
alter table message_search alter column workspace_id set (n_distinct=1);
CREATE INDEX message_search_terms ON message_search USING gin (written_by, segment_terms) WITH (fastupdate=off);

create table message_search_progress (
  workspace_id uuid not null,
  up_to uuid not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table message_search_progress alter column workspace_id set (n_distinct=1);

create table message_search_segments (
  workspace_id uuid not null,
  lowest_id uuid not null,
  number bigint not null generated always as identity,
  message_count integer not null,
  PRIMARY KEY (workspace_id, lowest_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table message_search_segments alter column workspace_id set (n_distinct=1);

create table messages (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  direction text not null,
  kind text not null,
  body text,
  media_id uuid,
  filename text,
  mime text,
  size_bytes bigint,
  reply_to_id uuid,
  actor_kind text,
  actor_id uuid,
  status text,
  error text,
  recipient text,
  content json,
  platform_message_id text,
  outcome_unknown boolean not null default false,
  pricing json,
  broadcast_id uuid,
  initiates boolean not null default false,
  created_at timestamp(3) with time zone not null,
  dispatched_at timestamp(3) with time zone,
  platform_accepted_at timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  read_at timestamp(3) with time zone,
  failed_at timestamp(3) with time zone,
  allowance_category text,
  allowance_month date,
  edited_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id),
  FOREIGN KEY (workspace_id, media_id) REFERENCES media(workspace_id, id)
) with (fillfactor=85);
alter table messages alter column channel_id set (n_distinct=1);
alter table messages alter column workspace_id set (n_distinct=1);
CREATE INDEX messages_initiating ON messages USING btree (workspace_id, channel_id, created_at, conversation_id) WHERE initiates;
CREATE INDEX messages_media ON messages USING btree (workspace_id, media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX messages_of_broadcast ON messages USING btree (workspace_id, broadcast_id, status) WHERE (broadcast_id IS NOT NULL);
CREATE INDEX messages_of_conversation ON messages USING btree (workspace_id, conversation_id, id DESC);
CREATE INDEX messages_of_template ON messages USING btree (workspace_id, ((content ->> 'name'::text)), created_at) WHERE ((direction = 'outbound'::text) AND (kind = 'template'::text));
CREATE INDEX messages_sent ON messages USING btree (workspace_id, created_at) WHERE ((direction = 'outbound'::text) AND (kind <> 'note'::text));
CREATE UNIQUE INDEX messages_platform_id ON messages USING btree (channel_id, platform_message_id) WHERE (platform_message_id IS NOT NULL);
CREATE TRIGGER publish_changed_messages AFTER UPDATE ON messages REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION publish_changed_messages();
CREATE TRIGGER publish_new_messages AFTER INSERT ON messages REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION publish_new_messages();

create table note_mentions (
  workspace_id uuid not null,
  message_id uuid not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  read_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, message_id, user_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);
alter table note_mentions alter column workspace_id set (n_distinct=1);
CREATE INDEX note_mentions_of_user ON note_mentions USING btree (workspace_id, user_id, message_id DESC);
CREATE TRIGGER publish_mentions AFTER INSERT ON note_mentions REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION publish_mentions();

create table notification_settings (
  workspace_id uuid not null,
  user_id uuid not null,
  conversations text not null,
  mentions boolean not null,
  sound boolean not null,
  desktop boolean not null,
  quiet_from text,
  quiet_until text,
  timezone text,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table notification_settings alter column workspace_id set (n_distinct=1);

create table passkeys (
  id uuid not null,
  person_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  PRIMARY KEY (id),
  UNIQUE (credential_id),
  FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_person ON passkeys USING btree (person_id);

create table people (
  id uuid not null,
  email text not null,
  name text not null,
  language text,
  theme text,
  single_key_shortcuts boolean not null default true,
  password_hash text,
  totp_secret bytea,
  totp_enabled_at timestamp(3) with time zone,
  totp_last_step bigint,
  oidc_issuer text,
  oidc_subject text,
  created_at timestamp(3) with time zone not null,
  proven_at timestamp(3) with time zone,
  ended_by_proof text[] not null default '{}'::text[],
  shortcuts jsonb not null default '{}'::jsonb,
  PRIMARY KEY (id),
  UNIQUE (email),
  UNIQUE (oidc_issuer, oidc_subject)
);

create table platform_notices (
  workspace_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  field text not null,
  reason text not null,
  raw text not null,
  received_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, channel_id) REFERENCES channels(workspace_id, id)
);
alter table platform_notices alter column workspace_id set (n_distinct=1);
CREATE INDEX platform_notices_early_identity_changes ON platform_notices USING btree (workspace_id, channel_id) WHERE (reason = 'identity change of an unknown person'::text);

create table platform_reports (
  workspace_id uuid not null,
  kind text not null,
  subject text not null,
  reported_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, kind, subject),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table platform_reports alter column workspace_id set (n_distinct=1);

create table presences (
  workspace_id uuid not null,
  user_id uuid not null,
  conversation_id uuid not null,
  typing text,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, user_id, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
) with (fillfactor=70);
alter table presences alter column workspace_id set (n_distinct=1);
CREATE INDEX presences_of_conversation ON presences USING btree (workspace_id, conversation_id);

create table proposals (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  ai_agent_id uuid,
  workflow_id uuid,
  run_id uuid,
  action text not null,
  content json not null,
  preview text,
  media_id uuid,
  sources text[] not null default '{}'::text[],
  answers_message_id uuid,
  state text not null,
  end_reason text,
  decided_by uuid,
  decision_reason text,
  is_edited boolean not null default false,
  message_id uuid,
  created_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, decided_by) REFERENCES users(workspace_id, id)
);
alter table proposals alter column workspace_id set (n_distinct=1);
CREATE INDEX proposals_ended ON proposals USING btree (ended_at) WHERE (state <> ALL (ARRAY['waiting'::text, 'accepted'::text]));
CREATE INDEX proposals_of_conversation ON proposals USING btree (workspace_id, conversation_id, id);
CREATE INDEX proposals_of_file ON proposals USING btree (workspace_id, media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX proposals_of_message ON proposals USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX proposals_of_run ON proposals USING btree (workspace_id, run_id) WHERE ((state = 'waiting'::text) AND (run_id IS NOT NULL));
CREATE INDEX proposals_waiting ON proposals USING btree (workspace_id, id) WHERE (state = 'waiting'::text);
CREATE TRIGGER publish_proposal AFTER INSERT OR UPDATE ON proposals FOR EACH ROW EXECUTE FUNCTION publish_proposal();

create table queue_checks (
  kind text not null,
  queue_key uuid not null,
  requested_at timestamp(3) with time zone not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, autovacuum_analyze_threshold=2147483647);
CREATE INDEX queue_checks_requested ON queue_checks USING btree (kind, requested_at);

create table rates (
  workspace_id uuid not null,
  category text not null,
  country text not null default ''::text,
  from_date date not null default '-infinity'::date,
  fee_minor integer not null,
  PRIMARY KEY (workspace_id, category, country, from_date),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table rates alter column workspace_id set (n_distinct=1);

create table read_marks (
  workspace_id uuid not null,
  user_id uuid not null,
  conversation_id uuid not null,
  last_read_message_id uuid,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, user_id, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table read_marks alter column workspace_id set (n_distinct=1);
CREATE INDEX read_marks_of_conversation ON read_marks USING btree (workspace_id, conversation_id);

create table receipt_keys (
  id text not null,
  public_key text not null,
  private_key bytea not null,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (id)
);

create table recovery_codes (
  person_id uuid not null,
  code_hash bytea not null,
  PRIMARY KEY (person_id, code_hash),
  FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);

create table retention_settings (
  workspace_id uuid not null,
  conversation_days integer,
  PRIMARY KEY (workspace_id),
  CHECK (((conversation_days >= 30) AND (conversation_days <= 3650))),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table retention_settings alter column workspace_id set (n_distinct=1);

create table saved_views (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid,
  name text not null,
  filter json not null,
  contact_id uuid,
  "position" integer not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table saved_views alter column workspace_id set (n_distinct=1);
CREATE INDEX saved_views_contact ON saved_views USING btree (workspace_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX saved_views_order ON saved_views USING btree (workspace_id, user_id, "position");

create table scheduled_messages (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  user_id uuid not null,
  content json not null,
  preview text,
  media_id uuid,
  send_at timestamp(3) with time zone not null,
  state text not null,
  version integer not null,
  message_id uuid,
  failure_code text,
  failure_detail text,
  created_at timestamp(3) with time zone not null,
  changed_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id)
);
alter table scheduled_messages alter column workspace_id set (n_distinct=1);
CREATE INDEX scheduled_messages_changed ON scheduled_messages USING btree (changed_at) WHERE (state <> 'scheduled'::text);
CREATE INDEX scheduled_messages_of_conversation ON scheduled_messages USING btree (workspace_id, conversation_id, send_at, id);
CREATE INDEX scheduled_messages_of_file ON scheduled_messages USING btree (workspace_id, media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX scheduled_messages_waiting ON scheduled_messages USING btree (workspace_id, send_at) WHERE (state = ANY (ARRAY['scheduled'::text, 'failed'::text]));
CREATE TRIGGER publish_scheduled_message AFTER INSERT OR UPDATE ON scheduled_messages FOR EACH ROW EXECUTE FUNCTION publish_scheduled_message();

create table sessions (
  id uuid not null,
  person_id uuid not null,
  token_hash bytea not null,
  method text not null,
  awaits_code boolean not null,
  confirmed_at timestamp(3) with time zone not null,
  address text not null,
  user_agent text not null,
  created_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  PRIMARY KEY (id),
  UNIQUE (token_hash),
  FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);
CREATE INDEX sessions_age ON sessions USING btree (last_seen_at);
CREATE INDEX sessions_person ON sessions USING btree (person_id);

create table sign_in_challenges (
  token_hash bytea not null,
  purpose text not null,
  session_id uuid,
  exchange bytea,
  created_at timestamp(3) with time zone not null,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_challenges_age ON sign_in_challenges USING btree (created_at);
CREATE INDEX sign_in_challenges_session ON sign_in_challenges USING btree (session_id) WHERE (session_id IS NOT NULL);

create table sign_in_links (
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  email text not null,
  workspace_id uuid,
  role text,
  invited_by uuid,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  by_hand boolean not null default false,
  PRIMARY KEY (id),
  UNIQUE (token_hash),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  FOREIGN KEY (workspace_id, invited_by) REFERENCES users(workspace_id, id)
);
alter table sign_in_links alter column workspace_id set (n_distinct=1);
CREATE INDEX sign_in_links_expiry ON sign_in_links USING btree (expires_at);
CREATE INDEX sign_in_links_workspace ON sign_in_links USING btree (workspace_id, created_at) WHERE (workspace_id IS NOT NULL);

create table stages (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  emoji text,
  "position" integer not null,
  changed_at timestamp(3) with time zone,
  removed_at timestamp(3) with time zone,
  file_name text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table stages alter column workspace_id set (n_distinct=1);
CREATE UNIQUE INDEX stages_name ON stages USING btree (workspace_id, name) WHERE (removed_at IS NULL);

create table tag_changes (
  workspace_id uuid not null,
  name text not null,
  change bigint not null,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table tag_changes alter column workspace_id set (n_distinct=1);
CREATE INDEX tag_changes_of_name ON tag_changes USING btree (workspace_id, hashtextextended(name, (0)::bigint));

create table tags (
  workspace_id uuid not null,
  name text not null,
  may_be_unused boolean not null default false,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table tags alter column workspace_id set (n_distinct=1);
CREATE INDEX tags_unused ON tags USING btree (workspace_id) WHERE may_be_unused;
CREATE UNIQUE INDEX tags_name ON tags USING btree (workspace_id, md5(name));

create table team_members (
  workspace_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  PRIMARY KEY (workspace_id, team_id, user_id),
  FOREIGN KEY (workspace_id, team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);
alter table team_members alter column workspace_id set (n_distinct=1);
CREATE TRIGGER publish_team_member AFTER INSERT OR DELETE ON team_members FOR EACH ROW EXECUTE FUNCTION publish_team_member();

create table teams (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  changed_at timestamp(3) with time zone,
  removed_at timestamp(3) with time zone,
  file_name text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table teams alter column workspace_id set (n_distinct=1);
CREATE UNIQUE INDEX teams_name ON teams USING btree (workspace_id, name) WHERE (removed_at IS NULL);

create table template_reviews (
  workspace_id uuid not null,
  template_id uuid not null,
  id bigint not null generated always as identity,
  status text not null,
  rejection_reason text,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, template_id, id),
  FOREIGN KEY (workspace_id, template_id) REFERENCES templates(workspace_id, id) ON DELETE CASCADE
);
alter table template_reviews alter column workspace_id set (n_distinct=1);

create table templates (
  workspace_id uuid not null,
  id uuid not null,
  waba_id text not null,
  platform_template_id text,
  name text not null,
  language text not null,
  category text not null,
  components json not null,
  status text not null,
  rejection_reason text,
  quality text,
  submitted_at timestamp(3) with time zone,
  is_from_file boolean not null default false,
  updated_at timestamp(3) with time zone not null,
  coming_category text,
  category_changes_at timestamp(3) with time zone,
  parameter_format text,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, waba_id, name, language),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table templates alter column workspace_id set (n_distinct=1);
CREATE INDEX templates_platform_id ON templates USING btree (platform_template_id);
CREATE TRIGGER publish_changed_template AFTER UPDATE ON templates FOR EACH ROW WHEN ((((((old.category IS DISTINCT FROM new.category) OR (old.status IS DISTINCT FROM new.status)) OR (old.rejection_reason IS DISTINCT FROM new.rejection_reason)) OR (old.quality IS DISTINCT FROM new.quality)) OR ((old.components)::text IS DISTINCT FROM (new.components)::text))) EXECUTE FUNCTION publish_object('template');
CREATE TRIGGER publish_coming_category AFTER UPDATE ON templates FOR EACH ROW WHEN (((old.coming_category IS DISTINCT FROM new.coming_category) OR (old.category_changes_at IS DISTINCT FROM new.category_changes_at))) EXECUTE FUNCTION publish_object('template');
CREATE TRIGGER publish_deleted_template AFTER DELETE ON templates FOR EACH ROW EXECUTE FUNCTION publish_deleted_template();
CREATE TRIGGER publish_new_template AFTER INSERT ON templates FOR EACH ROW EXECUTE FUNCTION publish_object('template');

create table test_clock (
  singleton boolean not null default true,
  offset_ms bigint not null default 0,
  PRIMARY KEY (singleton),
  CHECK (singleton)
);

create table users (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  email text not null,
  role text,
  status text,
  available boolean not null default true,
  last_active_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  person_id uuid,
  joined_at timestamp(3) with time zone,
  own_teams_only boolean not null default false,
  changed_at timestamp(3) with time zone,
  removed_at timestamp(3) with time zone,
  working_hours json,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, email),
  FOREIGN KEY (person_id) REFERENCES people(id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table users alter column workspace_id set (n_distinct=1);
CREATE INDEX users_with_hours ON users USING btree (workspace_id, id) WHERE (working_hours IS NOT NULL);
CREATE UNIQUE INDEX users_person ON users USING btree (person_id, workspace_id) WHERE (person_id IS NOT NULL);
CREATE TRIGGER publish_changed_member AFTER UPDATE ON users FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.available IS DISTINCT FROM new.available))) EXECUTE FUNCTION publish_object('member');
CREATE TRIGGER publish_changed_rights AFTER UPDATE ON users FOR EACH ROW WHEN (((((old.role IS DISTINCT FROM new.role) OR (old.person_id IS DISTINCT FROM new.person_id)) OR (old.own_teams_only IS DISTINCT FROM new.own_teams_only)) OR (old.removed_at IS DISTINCT FROM new.removed_at))) EXECUTE FUNCTION publish_object('rights');
CREATE TRIGGER publish_new_member AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION publish_object('rights');

create table volume_tiers (
  workspace_id uuid not null,
  waba_id text not null,
  category text not null,
  region text not null,
  tier text not null,
  effective_month text,
  updated_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, waba_id, category, region),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table volume_tiers alter column workspace_id set (n_distinct=1);

create table wallets (
  workspace_id uuid not null,
  balance_minor bigint not null,
  currency text,
  applied_minor bigint,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table wallets alter column workspace_id set (n_distinct=1);

create table webhook_attempts (
  workspace_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  attempt integer not null,
  id uuid not null default gen_random_uuid(),
  event_type text not null,
  term integer not null,
  tries integer not null default 1,
  listed_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  response_status integer,
  duration_ms integer,
  reason text,
  PRIMARY KEY (workspace_id, event_id, endpoint_id, attempt),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints(workspace_id, id)
) with (fillfactor=85);
alter table webhook_attempts alter column workspace_id set (n_distinct=1);
CREATE INDEX webhook_attempts_listed ON webhook_attempts USING btree (workspace_id, endpoint_id, listed_at DESC, id DESC) WHERE (listed_at IS NOT NULL);

create table webhook_endpoints (
  workspace_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  enabled boolean not null default true,
  term integer not null default 1,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  last_failure_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  event_data text not null default 'basic'::text,
  PRIMARY KEY (workspace_id, id),
  CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
  CHECK ((event_data = ANY (ARRAY['basic'::text, 'full'::text]))),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table webhook_endpoints alter column workspace_id set (n_distinct=1);
CREATE INDEX webhook_endpoints_live ON webhook_endpoints USING btree (workspace_id, id) WHERE (deleted_at IS NULL);

create table workflow_run_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  turn integer not null,
  step text not null,
  name text,
  kind text not null,
  outcome text not null,
  reason text,
  at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, run_id, turn),
  FOREIGN KEY (workspace_id, run_id) REFERENCES workflow_runs(workspace_id, id) ON DELETE CASCADE
);
alter table workflow_run_steps alter column workspace_id set (n_distinct=1);

create table workflow_runs (
  workspace_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  contact_id uuid not null,
  conversation_id uuid,
  control text not null,
  status text not null,
  reason text,
  depth smallint not null default 0,
  root_run_id uuid,
  trigger json not null,
  results json not null default '{}'::json,
  "position" integer,
  turn integer not null default 0,
  asked_message_id uuid,
  due_at timestamp(3) with time zone,
  call_job_id bigint,
  has_control boolean not null default false,
  is_parked boolean not null default false,
  started_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  proposal_id uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations(workspace_id, id),
  FOREIGN KEY (workspace_id, workflow_id) REFERENCES workflows(workspace_id, id)
) with (fillfactor=80);
alter table workflow_runs alter column workspace_id set (n_distinct=1);
CREATE INDEX workflow_runs_all_of_conversation ON workflow_runs USING btree (workspace_id, conversation_id);
CREATE INDEX workflow_runs_of_chain ON workflow_runs USING btree (workspace_id, root_run_id) WHERE (root_run_id IS NOT NULL);
CREATE INDEX workflow_runs_of_contact ON workflow_runs USING btree (workspace_id, contact_id);
CREATE INDEX workflow_runs_of_conversation ON workflow_runs USING btree (workspace_id, conversation_id) WHERE (status = 'running'::text);
CREATE INDEX workflow_runs_of_workflow ON workflow_runs USING btree (workspace_id, workflow_id, id DESC);
CREATE INDEX workflow_runs_running ON workflow_runs USING btree (workspace_id, workflow_id, is_parked) WHERE (status = 'running'::text);

create table workflow_versions (
  workspace_id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  definition json not null,
  created_at timestamp(3) with time zone not null,
  saved_by uuid,
  restored_from integer,
  PRIMARY KEY (workspace_id, workflow_id, version),
  FOREIGN KEY (workspace_id, saved_by) REFERENCES users(workspace_id, id),
  FOREIGN KEY (workspace_id, workflow_id) REFERENCES workflows(workspace_id, id)
);
alter table workflow_versions alter column workspace_id set (n_distinct=1);

create table workflows (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  trigger text not null,
  waits_for text,
  after_seconds integer,
  version integer not null default 0,
  updated_at timestamp(3) with time zone not null,
  status_set_at timestamp(3) with time zone,
  definition_set_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, name),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
alter table workflows alter column workspace_id set (n_distinct=1);
CREATE INDEX workflows_started_by ON workflows USING btree (workspace_id, trigger) WHERE (status = 'published'::text);

create table workspaces (
  id uuid not null,
  name text not null,
  industry text,
  country text,
  timezone text,
  language text,
  plan text,
  created_at timestamp(3) with time zone not null,
  changed_at timestamp(3) with time zone,
  file_name text,
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX workspaces_operators_name ON workspaces USING btree (COALESCE(file_name, name));

CREATE OR REPLACE FUNCTION add_tag_changes(workspace_ids uuid[], names text[], changes bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION check_queues()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION count_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into conversation_counts as c
  select workspace_id, stage_id, pg_backend_pid() % 1024, sign * count(*) filter (where status = 'open'),
    sign * count(*) filter (where status = 'open' and is_unreplied(last_customer_message_id, last_business_message_id)),
    sign * count(*) filter (where status = 'open' and assignee_id is null),
    sign * count(*) filter (where status = 'closed')
  from moved
  group by workspace_id, stage_id
  on conflict (workspace_id, stage_id, session) do update set open = c.open + excluded.open,
    unreplied = c.unreplied + excluded.unreplied, unassigned = c.unassigned + excluded.unassigned,
    closed = c.closed + excluded.closed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION follow_changed_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from (select workspace_id, id, tags from before except select workspace_id, id, tags from after) as changed;
  if found then
    perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(change)) from (
      select distinct workspace_id, id, unnest(tags) as name, -1::bigint as change from before
      union all select distinct workspace_id, id, unnest(tags), 1::bigint from after
    ) as changes;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION follow_deleted_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from before where tags <> '{}';
  if not found then return null; end if;
  perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(-1::bigint))
  from (select distinct workspace_id, id, unnest(tags) as name from before) as tagged;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION follow_new_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from after where tags <> '{}';
  if not found then return null; end if;
  perform add_tag_changes(array_agg(workspace_id), array_agg(name), array_agg(1::bigint))
  from (select distinct workspace_id, id, unnest(tags) as name from after) as tagged;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION is_unreplied(last_customer_message_id uuid, last_business_message_id uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((last_customer_message_id > last_business_message_id), (last_customer_message_id IS NOT NULL));

CREATE OR REPLACE FUNCTION knowledge_terms(workspace_id uuid, folded text)
 RETURNS TABLE(stem integer, beginning integer)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select hashtext(workspace_id::text || '=' || lexeme),
    case when length(lexeme) > 4 then hashtext(workspace_id::text || '~' || left(lexeme, 5)) end
  from unnest(tsvector_to_array(to_tsvector('knowledge', folded))) as lexeme
$function$;

CREATE OR REPLACE FUNCTION place_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from jobs j where j.kind = new.kind and j.queue_key = new.queue_key) then
    new.is_ready := false;
    insert into queue_checks (kind, queue_key) values (new.kind, new.queue_key);
  elsif new.run_at > clock_timestamp() + (select offset_ms from test_clock) * interval '1 ms' then
    new.is_ready := false;
    new.wakes_at := new.run_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION platform_message_token(platform_message_id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case when platform_message_id ~ '^wamid\.[A-Za-z0-9+/_-]{12,250}={0,2}$'
      and length(rtrim(substr(platform_message_id, 7), '=')) % 4 <> 1 then
    (regexp_match(encode(decode(rpad(letters, (length(letters) + 3) / 4 * 4, '='), 'base64'), 'escape'),
      '\u0018.([0-9A-Za-z]{8,64})(?:\\000)*$'))[1] end
  from (select translate(rtrim(substr(platform_message_id, 7), '='), '-_', '+/')) as t (letters)
$function$;

CREATE OR REPLACE FUNCTION publish_changed_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id, details)
  select workspace_id, 'status', conversation_id, id, json_build_object('status', status) from (
    select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown, reply_to_id, edited_at, deleted_at from after
    except
    select workspace_id, id, conversation_id, status, error, media_id, size_bytes, outcome_unknown, reply_to_id, edited_at, deleted_at from before
  ) changed order by id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_contact()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, object_id) values (old.workspace_id, 'contact', old.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id, former_assignee_id, former_team_id)
  values (old.workspace_id, tg_argv[0], old.id, old.assignee_id, old.team_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_deleted_template()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, object_id) values (old.workspace_id, 'template', old.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_identities()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, object_id) select distinct workspace_id, 'contact', contact_id from after;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_mentions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id, for_user_id)
  select n.workspace_id, 'mention', m.conversation_id, n.message_id, n.user_id
  from after n join messages m on m.workspace_id = n.workspace_id and m.id = n.message_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_new_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id) select workspace_id, 'conversation', id from after;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_new_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id)
  select workspace_id, case kind when 'note' then 'note' else 'message' end, conversation_id, id from after order by id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_object()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, object_id) values (new.workspace_id, tg_argv[0], new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_progress()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, object_id)
  select distinct workspace_id, 'broadcast', broadcast_id from after where status <> 'waiting';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_proposal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id)
  values (new.workspace_id, 'proposal', new.conversation_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_reported_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id) values (new.workspace_id, 'conversation', new.conversation_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_scheduled_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, conversation_id, object_id)
  values (new.workspace_id, 'scheduled_message', new.conversation_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION publish_team_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into live_changes (workspace_id, kind, object_id)
  values (coalesce(new.workspace_id, old.workspace_id), 'rights', coalesce(new.user_id, old.user_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION recount_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into conversation_counts as c
  select * from (
    select workspace_id, stage_id, pg_backend_pid() % 1024, sum(sign * (status = 'open')::int) as open,
      sum(sign * (status = 'open' and unreplied)::int) as unreplied,
      sum(sign * (status = 'open' and assignee_id is null)::int) as unassigned,
      sum(sign * (status = 'closed')::int) as closed
    from (
      select workspace_id, stage_id, status, assignee_id, -1 as sign,
        is_unreplied(last_customer_message_id, last_business_message_id) as unreplied
      from before
      union all
      select workspace_id, stage_id, status, assignee_id, 1,
        is_unreplied(last_customer_message_id, last_business_message_id)
      from after
    ) moves
    group by workspace_id, stage_id
  ) sums
  where (open, unreplied, unassigned, closed) <> (0, 0, 0, 0)
  on conflict (workspace_id, stage_id, session) do update set open = c.open + excluded.open,
    unreplied = c.unreplied + excluded.unreplied, unassigned = c.unassigned + excluded.unassigned,
    closed = c.closed + excluded.closed;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION refresh_contact_search(workspace_ids uuid[], contact_ids uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into contact_search as s (workspace_id, contact_id, name_key, address_key, tags, stage_id, channel_types)
  select c.workspace_id, c.id, c.name_key, c.email_key || i.keys, c.tags, c.stage_id, i.channel_types
  from (select distinct w.workspace_id, w.id from unnest(workspace_ids, contact_ids) as w (workspace_id, id)) w
  cross join lateral (select * from contacts o where o.workspace_id = w.workspace_id and o.id = w.id) c
  cross join lateral (
    select coalesce(string_agg(o.identifier_key, '' order by o.identifier), '') as keys,
      coalesce(array_agg(distinct o.channel_type), '{}') as channel_types
    from contact_identities o where o.workspace_id = w.workspace_id and o.contact_id = w.id
  ) i
  on conflict (workspace_id, contact_id) do update
  set name_key = excluded.name_key, address_key = excluded.address_key, tags = excluded.tags,
    stage_id = excluded.stage_id, channel_types = excluded.channel_types
$function$;

CREATE OR REPLACE FUNCTION search_by_changed_contact()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_contact_search(array[new.workspace_id], array[new.id]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION search_by_moved_identity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_contact_search(array[old.workspace_id, new.workspace_id], array[old.contact_id, new.contact_id]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION search_by_new_identities()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_contact_search(array_agg(workspace_id), array_agg(contact_id)) from written;
  return null;
end $function$;
