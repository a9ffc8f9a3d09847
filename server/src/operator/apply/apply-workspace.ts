import { saveConversationSettings } from '../../conversations/settings.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { findUserIds, listKeptValues, saveUsers } from '../../users/queries.ts';
import { applyWallet } from '../../workspaces/apply-wallet.ts';
import { saveAllowances, savePrices, saveRates } from '../../workspaces/prices/save-prices.ts';
import { saveWorkspace } from '../../workspaces/queries.ts';
import { getWorkspace } from '../../workspaces/read-workspace.ts';
import { applyAi } from './apply-ai.ts';
import { type AppliedApiKey, applyApiKeys } from './apply-api-keys.ts';
import { applyChannels } from './apply-channels.ts';
import { applyDesk } from './apply-desk.ts';
import { type AppliedEndpoint, applyEndpoints } from './apply-endpoints.ts';
import { applyClosingCategories, applyStages } from './apply-stages.ts';
import { applyTeams } from './apply-teams.ts';
import { applyTemplates } from './apply-templates.ts';
import { applyViews } from './apply-views.ts';
import { applyWorkflows } from './apply-workflows.ts';
import { applyWorkingHours } from './apply-working-hours.ts';
import { findFileFaults } from './find-file-faults.ts';
import type { Kept } from './kept.ts';
import type { WorkspaceFile } from './workspace-file.ts';

export interface ApplyContext {
  clock: Clock;
  secretBox: SecretBox;
}

/** The ids of a file's entries, by natural key. */
export interface AppliedWorkspace {
  workspace_id: string;
  channels: Map<string, string>;
  stages: Map<string, string>;
  closing_categories: Map<string, string>;
  users: Map<string, string>;
  teams: Map<string, string>;
  ai_agents: Map<string, string>;
  workflows: Map<string, string>;
  templates: { id: string; name: string; language: string }[];
  api_keys: AppliedApiKey[];
  webhook_endpoints: AppliedEndpoint[];
  /** What people changed, so that the file did not. */
  kept: Kept[];
}

/**
 * Creates or updates a workspace from its file in one transaction. Equal rows are not written, and values absent from the file
 * stay. The lock on the workspace serialises files for the same one.
 */
export async function applyWorkspace(
  tx: Transaction,
  context: ApplyContext,
  file: WorkspaceFile,
): Promise<AppliedWorkspace> {
  const faults = findFileFaults(file);
  if (faults.length > 0) throw invalid(faults);
  const { clock } = context;
  const { name, industry = null, country = null, timezone = null, language = null, plan = null } = file.workspace;
  const given = { name, industry, country, timezone, language, plan };
  const workspace_id = await saveWorkspace(tx, { id: newId(clock), ...given, created_at: clock.now() });
  const kept: Kept[] = [];
  await keepPersonsWorkspace(tx, workspace_id, file.workspace, kept);
  const { assignment = null, csat_text = null } = file;
  await saveConversationSettings(tx, workspace_id, { assignment, csat_text });
  if (file.wallet) await applyWallet(tx, workspace_id, file.wallet, clock.now());
  if (file.prices) await savePrices(tx, workspace_id, file.prices);
  if (file.rates) await saveRates(tx, workspace_id, file.rates);
  if (file.allowances) await saveAllowances(tx, workspace_id, file.allowances);
  // Fields before workflows, which name them.
  await applyDesk({ tx, clock, workspace_id, kept }, file);
  // Users before teams and keys, which name them, and all three before views; channels before templates, which need their account.
  const users = await applyUsers(tx, clock, workspace_id, file.users ?? [], kept);
  const stages = await applyStages(tx, clock, workspace_id, file.stages ?? [], kept);
  const teams = await applyTeams(tx, clock, workspace_id, file.teams ?? [], kept);
  await applyViews({ tx, clock, workspace_id, kept }, file.saved_views ?? []);
  return {
    workspace_id,
    kept,
    channels: await applyChannels(tx, context, workspace_id, file.channels ?? [], kept),
    stages,
    closing_categories: await applyClosingCategories(tx, clock, workspace_id, file.closing_categories ?? [], kept),
    users,
    teams,
    ai_agents: await applyAi(tx, clock, workspace_id, file, kept),
    workflows: await applyWorkflows(tx, context, workspace_id, file.workflows ?? [], kept),
    templates: await applyTemplates(tx, clock, workspace_id, file.templates ?? [], kept),
    api_keys: await applyApiKeys(tx, clock, workspace_id, file.api_keys ?? [], kept),
    webhook_endpoints: await applyEndpoints({ tx, ...context, workspace_id, kept }, file.webhook_endpoints ?? []),
  };
}

const details = ['name', 'industry', 'country', 'timezone', 'language'] as const;

async function keepPersonsWorkspace(
  tx: Transaction,
  workspace_id: string,
  file: WorkspaceFile['workspace'],
  kept: Kept[],
): Promise<void> {
  const stored = await getWorkspace(tx, workspace_id);
  for (const member of details) {
    const in_file = file[member];
    const value = stored[member];
    if (in_file !== undefined && in_file !== value) kept.push({ workspace: file.name, member, value, in_file });
  }
}

async function applyUsers(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: NonNullable<WorkspaceFile['users']>,
  kept: Kept[],
): Promise<Map<string, string>> {
  const created_at = clock.now();
  const rows = files.map(({ name, email, role = null, status = null, own_teams_only = null }) => ({
    id: newId(clock),
    name,
    email,
    role,
    status,
    own_teams_only,
    created_at,
  }));
  await saveUsers(tx, workspace_id, rows);
  const emails = files.map((file) => file.email);
  for (const { email, ...value } of await listKeptValues(tx, workspace_id, rows)) kept.push({ user: email, ...value });
  const ids = await findUserIds(tx, workspace_id, emails);
  await applyWorkingHours(tx, { workspace_id, ids, kept }, files);
  return ids;
}
