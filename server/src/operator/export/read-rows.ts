import { findConsentWords } from '../../contacts/consents/consent-settings.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { findRetention } from '../../retention/retention-settings.ts';
import type { WorkspaceFile } from '../apply/workspace-file.ts';
import { readSharedViews } from './read-shared-views.ts';

type Rows<List extends keyof WorkspaceFile> =
  NonNullable<WorkspaceFile[List]> extends readonly (infer Row)[] ? Row : never;
/** A row whose absent members are null. */
type Nullable<Row> = { [Member in keyof Row]-?: Exclude<Row[Member], undefined> | null };

const selectWorkspace = statement<Nullable<WorkspaceFile['workspace']> & { name: string }>(`
  select name, industry, country, timezone, language, plan from workspaces where id = $1`);
const selectSettings = statement<{ assignment: string; csat_text: string | null }>(`
  select assignment, csat_text from conversation_settings where workspace_id = $1`);
const selectBudget = statement<{ monthly_credits: number | null }>(`
  select monthly_credits from ai_budgets where workspace_id = $1`);
const selectPrices = statement<{ category: string; fee_minor: number }>(`
  select category, fee_minor from conversation_prices where workspace_id = $1 order by category`);
const selectRates = statement<{ category: string; country: string | null; from: string | null; fee_minor: number }>(`
  select category, nullif(country, '') as country, nullif(from_date, '-infinity')::text as "from", fee_minor from rates
  where workspace_id = $1 order by category, country, from_date`);
const selectAllowances = statement<{ category: string; from: string | null; messages: number }>(`
  select category, nullif(from_date, '-infinity')::text as "from", messages from allowances
  where workspace_id = $1 order by category, from_date`);
interface ChannelRow {
  name: string | null;
  display_phone: string | null;
  verified_name: string | null;
  waba_id: string;
  phone_number_id: string;
  messaging_tier: number | null;
  marketing_route: string;
  timezone: string | null;
}

const selectChannels = statement<ChannelRow>(`
  select name, display_phone, verified_name, waba_id, phone_number_id, messaging_tier, marketing_route, timezone
  from channels where workspace_id = $1 and disconnected_at is null order by created_at, id`);
const selectStages = statement<{ name: string; emoji: string | null }>(`
  select name, emoji from stages where workspace_id = $1 and removed_at is null order by position, id`);
const selectReasons = statement<{ name: string }>(`
  select name from closing_categories where workspace_id = $1 and removed_at is null order by position, id`);
const selectUsers = statement<Nullable<Rows<'users'>>>(`
  select name, email, role, status, nullif(own_teams_only, false) as own_teams_only,
    case when working_hours is not null then json_build_object('weekly', working_hours) end as working_hours
  from users where workspace_id = $1 and removed_at is null order by email`);
const selectTeams = statement<{ name: string; members: string[] }>(`
  select t.name, coalesce((select json_agg(u.email order by u.email) from team_members m
      join users u on u.workspace_id = m.workspace_id and u.id = m.user_id
      where m.workspace_id = t.workspace_id and m.team_id = t.id), '[]') as members
  from teams t where t.workspace_id = $1 and t.removed_at is null order by t.name`);
const selectAgents = statement<Nullable<Rows<'ai_agents'>>>(`
  select name, status, to_json(languages) as languages, instructions, nullif(proposes, false) as proposes, monthly_credits
  from ai_agents where workspace_id = $1 order by name`);
const selectWorkflows = statement<{ name: string; status: string; definition: Record<string, unknown> }>(`
  select w.name, w.status, v.definition from workflows w
  join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.version
  where w.workspace_id = $1 order by w.name`);
const selectTemplates = statement<Rows<'templates'>>(`
  select name, language, category, components, status from templates t
  where workspace_id = $1 and waba_id = (select waba_id from channels
    where workspace_id = $1 and disconnected_at is null order by created_at, id limit 1)
  order by name, language`);
const selectKeys = statement<Nullable<Rows<'api_keys'>>>(`
  select k.name, k.environment, to_json(k.scopes) as scopes, u.email as created_by from api_keys k
  left join users u on u.workspace_id = k.workspace_id and u.id = k.created_by and u.removed_at is null
  where k.workspace_id = $1 and k.revoked_at is null order by k.name`);
const selectFields = statement<Nullable<Rows<'custom_fields'>>>(`
  select key, label, type, to_json(options) as options from custom_fields where workspace_id = $1 order by id`);
const selectHours = statement<Nullable<NonNullable<WorkspaceFile['business_hours']>>>(`
  select weekly, closed_days, away_message from business_hours where workspace_id = $1`);
const selectReplies = statement<Nullable<Rows<'canned_replies'>>>(`
  select name, body, language from canned_replies where workspace_id = $1 and user_id is null order by name_key, language`);
const selectEndpoints = statement<Nullable<Rows<'webhook_endpoints'>>>(`
  select url, to_json(events) as events, description, event_data, enabled from webhook_endpoints
  where workspace_id = $1 and deleted_at is null order by id`);

/** The rows that a workspace file describes, as they are stored. */
export async function readRows(connection: Connection, workspace_id: string) {
  const read = <Row>(select: (on: Connection, values: unknown[]) => Promise<Row[]>) =>
    select(connection, [workspace_id]);
  return {
    workspace: (await read(selectWorkspace))[0]!,
    settings: (await read(selectSettings))[0],
    budget: (await read(selectBudget))[0],
    prices: await read(selectPrices),
    rates: await read(selectRates),
    allowances: await read(selectAllowances),
    channels: await read(selectChannels),
    stages: await read(selectStages),
    closing_categories: await read(selectReasons),
    users: await read(selectUsers),
    teams: await read(selectTeams),
    ai_agents: await read(selectAgents),
    workflows: await read(selectWorkflows),
    templates: await read(selectTemplates),
    api_keys: await read(selectKeys),
    custom_fields: await read(selectFields),
    business_hours: (await read(selectHours))[0],
    retention_days: await findRetention(connection, workspace_id),
    canned_replies: await read(selectReplies),
    consent_words: await findConsentWords(connection, workspace_id),
    saved_views: await readSharedViews(connection, workspace_id),
    webhook_endpoints: await read(selectEndpoints),
  };
}
