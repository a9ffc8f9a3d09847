import { globSync, readFileSync } from 'node:fs';

// A table is written by its owner: the module that keeps its rules. Another module calls a function of the owner.
const owners: Record<string, string> = {
  workspaces:
    'workspaces business_hours wallets conversation_prices rates allowances allowance_uses volume_tiers ledger_entries api_keys',
  users: 'users teams team_members',
  inbox: 'read_marks drafts presences notification_settings saved_views canned_replies',
  people: 'people passkeys recovery_codes sessions sign_in_challenges sign_in_links audit_entries',
  channels: 'channels',
  media: 'media media_on_platform',
  templates: 'templates template_reviews deleted_templates',
  conversations: 'conversations conversation_settings conversation_changes conversation_closings closing_categories',
  contacts:
    'contacts contact_identities contact_former_names address_book_entries consent_records consent_settings custom_fields stages tags tag_changes contact_imports contact_import_rows receipt_keys erasure_receipts',
  messages:
    'messages note_mentions scheduled_messages message_search message_search_progress message_search_segments deleted_message_counts erased_calls',
  broadcasts: 'broadcasts broadcast_recipients erased_places deleted_recipient_counts',
  workflows: 'workflows workflow_versions workflow_runs workflow_run_steps',
  ai: 'ai_agents ai_answers ai_budgets ai_usage knowledge_sources knowledge_passages knowledge_term_counts',
  'webhook-endpoints': 'webhook_endpoints webhook_attempts',
  inbound: 'platform_reports platform_notices',
  automation: 'proposals',
  retention: 'retention_settings',
  jobs: 'jobs job_groups queue_checks',
  events: 'events event_feed',
  http: 'idempotency_keys',
  live: 'live_changes live_feed',
  process: 'test_clock',
};
const exceptions: { folders: string[]; write: string; reason: string }[] = [
  {
    folders: ['automation', 'events', 'workflows'],
    write: 'insert into jobs',
    reason:
      'the statement that finds or makes the cause enqueues its jobs: one round trip, and no cause without its job',
  },
  {
    folders: ['events'],
    write: 'insert into webhook_attempts',
    reason: 'the statement that records an event decides its receivers; webhook-endpoints is above events',
  },
  {
    folders: ['http'],
    write: 'update api_keys',
    reason: 'the look-up of a key notes its use; workspaces is above http',
  },
  {
    folders: ['automation'],
    write: 'update workflow_runs',
    reason: 'conversations and contacts end runs in their own transactions; workflows is above them',
  },
];

const ownerOf = new Map(
  Object.entries(owners).flatMap(([folder, tables]) => tables.split(' ').map((table) => [table, folder])),
);
const tables = [...readFileSync('server/src/database/schema.sql', 'utf8').matchAll(/^create table (\w+)/gm)];
const named = tables.map(([, table]) => table).join('|');
const bySql = new RegExp(`\\b(insert\\s+into|update|delete\\s+from|truncate)\\s+(?:only\\s+)?(${named})\\b`, 'g');
const byBuilder = new RegExp(`\\b(insertInto|updateTable|deleteFrom)\\('(${named})'`, 'g');
const words: Record<string, string> = { insertInto: 'insert into', updateTable: 'update', deleteFrom: 'delete from' };

const files = globSync('server/src/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') });
const used = new Set<object>();
const faults = files.flatMap((file) => {
  const source = readFileSync(file, 'utf8');
  const folder = file.split('/')[2]!;
  return [...source.matchAll(bySql), ...source.matchAll(byBuilder)].flatMap(([, verb, table]) => {
    const owner = ownerOf.get(table!);
    if (owner === folder) return [];
    const write = `${words[verb!] ?? verb!.replaceAll(/\s+/g, ' ')} ${table}`;
    const exception = exceptions.find((one) => one.write === write && one.folders.includes(folder));
    if (exception) used.add(exception);
    return exception
      ? []
      : [`${file}: ${write}: ${owner ? `${owner} writes it` : 'name its owner in scripts/check-writes.ts'}`];
  });
});
for (const { write } of exceptions.filter((one) => !used.has(one)))
  faults.push(`no file needs the exception: ${write}`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
