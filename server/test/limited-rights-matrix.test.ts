import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { consoleOperations, mayAct, type PersonRule, personRules, type Role } from '@majlis/console-api';
import { type HttpOperation, type Operation, operations } from '@majlis/contract';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { proposeText, proposing } from '@majlis/testing/proposals';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parseId } from '../src/database/ids.ts';

/** An operation as people perform it, in a workspace. */
interface Entry extends Pick<HttpOperation, 'id' | 'method' | 'params' | 'query' | 'body'> {
  /** Below the workspace. */
  path: string;
  least: Role;
  whole_workspace: boolean;
}

/** A member of a path, a query or a body that may lead to a customer. */
interface Field {
  /** Operation, place and members. */
  key: string;
  entry: Entry;
  place: 'path' | 'query' | 'body';
  members: string[];
}

/** A customer with a conversation. */
interface Customer {
  conversation_id: string;
  contact_id: string;
  message_id: string;
  media_id: string;
  number: string;
  /** The message with the picture. */
  sent_id: string;
  scheduled_message_id: string;
  cancelled_message_id: string;
  proposal_id: string;
}

const inWorkspace = '/console/v1/workspaces/{workspace_id}';
const own: Entry[] = Object.values<HttpOperation & { audience: string; whole_workspace?: true }>(
  consoleOperations,
).flatMap(({ path, audience, whole_workspace = false, ...operation }) => {
  if (!path.startsWith(inWorkspace)) return [];
  return [{ ...operation, path: path.slice(inWorkspace.length), least: audience as Role, whole_workspace }];
});
const shared: Entry[] = Object.values<Operation>(operations).flatMap(({ path, ...operation }) => {
  const rule = (personRules as Record<string, PersonRule | undefined>)[operation.id];
  if (!rule) return [];
  const { least, whole_workspace = false } = rule;
  return [{ ...operation, path: path.slice('/v1'.length), least, whole_workspace }];
});
// A form with a file names nothing.
const all = [...own, ...shared].filter(({ id }) => id !== 'uploadMedia');

// A member with such a name leads to a row, or to a place in a thread.
const leading = /(^|_)ids?$|^(identifier|to|before|after|around)$/;

/** What a member leads to, by its name or by its whole key. A member of another name must be named in `elsewhere`. */
const leads: Record<string, keyof Customer> = {
  conversation_id: 'conversation_id',
  conversation_ids: 'conversation_id',
  contact_id: 'contact_id',
  source_contact_id: 'contact_id',
  message_id: 'message_id',
  message_ids: 'message_id',
  last_read_message_id: 'message_id',
  first_unread_message_id: 'message_id',
  reply_to_id: 'message_id',
  media_id: 'media_id',
  header_media_id: 'media_id',
  scheduled_message_id: 'scheduled_message_id',
  proposal_id: 'proposal_id',
  identifier: 'number',
  'restoreScheduledMessage path scheduled_message_id': 'cancelled_message_id',
  'listThread query before': 'message_id',
  'listThread query after': 'message_id',
  'listThread query around': 'message_id',
  'listThreadMessages query ids': 'message_id',
  'startWorkflowRun body contact.id': 'contact_id',
  'sendMessage body to': 'number',
  'quotePrice body to': 'number',
  'createBroadcast body audience.recipients.[].to': 'number',
  'previewBroadcast body audience.recipients.[].to': 'number',
};

/** Members that lead to no customer. */
const elsewhere = new Set([
  ...['user_id', 'team_id', 'stage_id', 'channel_id', 'assignee_id', 'template_id', 'workflow_id', 'run_id', 'view_id'],
  ...['canned_reply_id', 'invitation_id', 'api_key_id', 'endpoint_id', 'event_id', 'import_id', 'ai_agent_id'],
  ...[
    'ai_agent_ids',
    'knowledge_source_id',
    'category_id',
    'replacement_id',
    'phone_number_id',
    'waba_id',
    'member_ids',
  ],
  ...['broadcast_id', 'workspace_id'],
  'handOverConversation body to',
  // A draft keeps the names of a send and looks up none of them. The send itself is refused.
  ...['saveDraft body send.media_id', 'saveDraft body send.reply_to_id', 'saveDraft body send.seen_reply_id'],
  // It ends the person's own presence, if there is one: presence.test.ts.
  'setPresence body left_conversation_id',
  // An audience is refused to people who see their own teams alone: quotes.test.ts.
  'quotePrice body audience.recipients.[].to',
  'replaceTag body to',
  'replayWebhookDeliveries body to',
  'orderStages body ids',
  'orderClosingCategories body ids',
  'getFailureAnalytics query to',
  'getFees query to',
  'getConversationAnalytics query to',
  'getMessageAnalytics query to',
  'getUsage query to',
]);

function membersOf(schema: TSchema | undefined): string[][] {
  if (!schema) return [];
  const { properties = {}, items, anyOf = [] } = schema as Record<string, AnyJson>;
  return [
    ...Object.entries<TSchema>(properties).flatMap(([name, member]) => [
      [name],
      ...membersOf(member).map((below) => [name, ...below]),
    ]),
    ...membersOf(items).map((below) => ['[]', ...below]),
    ...anyOf.flatMap((one: TSchema) => membersOf(one)),
  ];
}

const fields: Field[] = all.flatMap((entry) =>
  (['path', 'query', 'body'] as const).flatMap((place) =>
    membersOf({ path: entry.params, query: entry.query, body: entry.body }[place])
      .filter((members) => leading.test(members.at(-1)!))
      .map((members) => ({ key: `${entry.id} ${place} ${members.join('.')}`, entry, place, members })),
  ),
);
const nameOf = ({ key, members }: Field) => (Object.hasOwn(leads, key) ? key : members.at(-1)!);
const isElsewhere = ({ key, members }: Field) => elsewhere.has(key) || elsewhere.has(members.at(-1)!);
const leadingFields = fields.filter((field) => !elsewhere.has(field.key) && Object.hasOwn(leads, nameOf(field)));

const greet = { trigger: 'api_call', steps: [{ do: 'add_note', text: 'Started' }] };
const day = { from: '2026-01-01', to: '2026-01-02' };
const later = { send_at: new Date(Date.now() + 86_400_000).toISOString() };

/** A body with which the operation succeeds for a customer whom the person sees. By operation, or by a member of its body. */
function bodiesOf({ contact_id, message_id, number, media_id }: Customer): Record<string, unknown> {
  const text = { kind: 'text', body: 'Hello' };
  const identities = [{ channel_type: 'chatapp', identifier: number }];
  const picture = { kind: 'image', media_id };
  const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
  return {
    sendMessage: { contact_id, ...text },
    'sendMessage body to': { to: number, ...text },
    'sendMessage body media_id': { contact_id, ...picture },
    'sendMessage body template.header_media_id': { contact_id, ...template },
    sendConversationMessage: text,
    'sendConversationMessage body media_id': picture,
    'sendConversationMessage body template.header_media_id': template,
    scheduleMessage: { content: text, ...later },
    'scheduleMessage body content.media_id': { content: picture, ...later },
    'scheduleMessage body content.template.header_media_id': { content: template, ...later },
    changeScheduledMessage: { version: 1, ...later },
    'changeScheduledMessage body content.reply_to_id': { version: 1, content: text },
    'changeScheduledMessage body content.media_id': { version: 1, content: picture },
    'changeScheduledMessage body content.template.header_media_id': { version: 1, content: template },
    cancelScheduledMessage: { version: 1 },
    restoreScheduledMessage: { version: 2 },
    sendScheduledMessage: { version: 1 },
    acceptProposal: {},
    refuseProposal: {},
    quotePrice: {},
    addConversationNote: { body: 'Seen' },
    composeReply: { instruction: 'Be short' },
    assignConversation: {},
    closeConversation: {},
    setConversationStage: { stage_id: null },
    handOverConversation: { to: 'human' },
    snoozeConversation: { until: '2100-01-01T00:00:00Z' },
    restoreConversation: { expected: {}, restored: {} },
    upsertContact: { identities, name: 'Renamed' },
    addContact: { identities, name: 'Renamed' },
    updateContact: { name: 'Renamed' },
    editContact: { changes: { name: 'Renamed' } },
    recordConsent: { granted: true },
    mergeContact: { source_contact_id: contact_id },
    setReadMark: { last_read_message_id: message_id },
    markUnread: {},
    saveDraft: { body: 'Draft' },
    setPresence: {},
    createSavedView: { name: 'Theirs', filter: { contact_id } },
    changeSavedView: { filter: { contact_id } },
    startWorkflowRun: { contact: { id: contact_id } },
    'startWorkflowRun body contact.contact_id': { contact: { contact_id } },
    'startWorkflowRun body contact.identifier': { contact: { channel_type: 'chatapp', identifier: number } },
    dryRunWorkflow: { definition: greet, contact_id },
    addKnowledgeSource: { type: 'file', media_id },
  };
}

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const mark = 'zq7mark';
let workspace: TestWorkspace;
let owner: Member;
let team_id: string;
let hidden: Customer;
let marks: string[];
const limited = {} as Record<'agent' | 'supervisor' | 'admin', Member>;
const people = Object.keys({ agent: 0, supervisor: 0, admin: 0 }) as (keyof typeof limited)[];

before(async () => {
  const workflow = { name: 'Greet', status: 'published', ...greet };
  const proposes = { name: 'Propose', status: 'published', ...proposing };
  workspace = await majlis.workspace({ workflows: [workflow, proposes], stages: [{ name: 'Customer' }] });
  owner = await joinWorkspace(majlis, workspace);
  for (const role of people) {
    limited[role] = await joinWorkspace(majlis, workspace, { role });
    await owner.at('PATCH', `/members/${limited[role].user_id}`, { own_teams_only: true });
  }
  const member_ids = people.map((role) => limited[role].user_id);
  team_id = (await owner.at('POST', '/teams', { name: 'Ours', member_ids })).body.team.id;
  hidden = await makeCustomer({ name: `Hidden ${mark}`, text: `Secret ${mark}`, team: null });
  await owner.at('POST', `/conversations/${hidden.conversation_id}/notes`, { body: `Note ${mark}` });
  await eventually(
    () => owner.at('GET', `/messages/${hidden.sent_id}`),
    ({ body }) => body.status === 'read',
  );
  marks = [mark, ...Object.values(hidden), hidden.number.slice(1)];
});

/** A customer who wrote, and got a picture. */
async function makeCustomer(
  { name, text, team }: { name: string; text: string; team: string | null } = {
    ...{ name: 'Seen', text: 'Seen', team: team_id },
  },
): Promise<Customer> {
  const digits = newDigits();
  const { conversation_id, contact_id, message_id } = await receiveMessage(majlis, workspace, digits);
  const path = `/conversations/${conversation_id}`;
  const assigned = await owner.at('POST', `${path}/assign`, { assignee_id: null, team_id: team });
  assert.equal(assigned.status, 200, JSON.stringify(assigned.body));
  await owner.at('PATCH', `/contacts/${contact_id}`, { name });
  const media_id = (await uploadFile(majlis, workspace, samples.png)).body.id;
  const sent = await owner.at('POST', `${path}/messages`, { kind: 'image', media_id, body: text });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  const content = { kind: 'text', body: `${text} later` };
  const [scheduled_message_id, cancelled_message_id] = await Promise.all(
    [0, 1].map(async () => (await owner.at('POST', `${path}/scheduled-messages`, { content, ...later })).body.id),
  );
  const cancelled = `${path}/scheduled-messages/${cancelled_message_id}/cancel`;
  assert.equal((await owner.at('POST', cancelled, { version: 1 })).status, 200);
  const propose = workspace.applied.workflows[1].id;
  const ids = { contact_id, conversation_id, text: `${text} proposed` };
  const proposal_id = (await proposeText(workspace, owner, propose, ids)).id;
  return {
    proposal_id,
    sent_id: sent.body.id,
    scheduled_message_id,
    cancelled_message_id,
    conversation_id,
    contact_id,
    message_id,
    media_id,
    number: `+${digits}`,
  };
}

/** All rows of the customer, whichever table has them, save for the index of texts, which a job fills later. */
async function readRows({ conversation_id, contact_id }: Customer): Promise<unknown> {
  const ids = [parseId('conversation', conversation_id), parseId('contact', contact_id)];
  const tables = await majlis.sql<{ name: string; columns: string[] }>(`
    select table_name as name, array_agg(column_name::text order by column_name) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('conversation_id', 'contact_id')
      and table_name <> 'message_search'
    group by 1 order by 1`);
  const named = [{ name: 'conversations', columns: ['id'] }, { name: 'contacts', columns: ['id'] }, ...tables];
  const rows: Record<string, unknown> = {};
  for (const { name, columns } of named) {
    const isOf = columns.map((column) => `${column}::text = any($1::text[])`).join(' or ');
    const read = await majlis.sql(`select to_jsonb(t) as row from ${name} t where ${isOf} order by t::text`, [ids]);
    rows[`${name} by ${columns}`] = read.map(({ row }) => row);
  }
  return rows;
}

/** Performs the operation for a visible customer, save for the member of `field`, which names another. */
async function perform(person: Member, { entry, ...field }: Field, seen: Customer, named: Customer) {
  const { id, method, query, path } = entry;
  const other = named[leads[nameOf({ entry, ...field })]!];
  const isNamed = (place: string, name: string) => field.place === place && field.members.at(-1) === name;
  const ids: Record<string, string> = {
    ...seen,
    ...(id === 'restoreScheduledMessage' && { scheduled_message_id: seen.cancelled_message_id }),
    kind: 'reply',
    workflow_id: workspace.applied.workflows[0].id,
    view_id: path.includes('{view_id}') ? await makeView(person) : 'x',
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    isNamed('path', name) ? other : (ids[name] ?? 'x'),
  );
  const search = new URLSearchParams();
  for (const name of new Set([...(query?.required ?? []), ...(field.place === 'query' ? field.members : [])])) {
    search.set(name, isNamed('query', name) ? other : seenValueOf(name, seen));
  }
  const bodies = bodiesOf(seen);
  const made = structuredClone(bodies[field.key] ?? bodies[id] ?? (entry.body && Value.Create(entry.body)));
  if (field.place === 'body') setMember(made as AnyJson, field.members, other);
  return person.at(method, `${filled}?${search}`, method === 'GET' ? undefined : made);
}

function seenValueOf(name: string, seen: Customer): string {
  const lead = leads[name];
  return lead ? seen[lead] : ((day as Record<string, string>)[name] ?? 'x');
}

async function makeView(person: Member): Promise<string> {
  return (await person.at('POST', '/views', { name: 'Own', filter: { status: 'open' } })).body.id;
}

function setMember(body: AnyJson, [name, ...below]: string[], value: string): void {
  const key = name === '[]' ? 0 : name!;
  if (below.length === 0) {
    body[key] = value;
    return;
  }
  body[key] ??= below[0] === '[]' ? [] : {};
  setMember(body[key], below, value);
}

function assertUnmarked(answer: unknown, label: string): void {
  const text = JSON.stringify(answer) ?? '';
  for (const one of marks) assert.ok(!text.includes(one), `${label} shows ${one}: ${text.slice(0, 400)}`);
}

// Looked for among the messages of the conversation: refused as one of any other conversation.
const withinConversation = /last_read_message_id|first_unread_message_id|reply_to_id$/;

const entitled = ({ least }: Entry) => people.filter((role) => mayAct(role, least));
// Nothing of the tests' workspaces shows a file in its header; the refusal precedes the template.
const withoutControl = /header_media_id$/;

describe('a person who is limited to own teams', () => {
  it('is held against every member that may lead to a customer', () => {
    const unknown = fields.filter((field) => !isElsewhere(field) && !Object.hasOwn(leads, nameOf(field)));
    assert.deepEqual(
      unknown.map(({ key }) => key),
      [],
      'a new member: say in `leads` what it leads to, or name it in `elsewhere`',
    );
    assert.ok(leadingFields.length > 60, `${leadingFields.length}`);
  });

  for (const field of leadingFields) {
    it(`reaches no hidden customer by ${field.key}`, async () => {
      const { entry, key } = field;
      const before = await readRows(hidden);
      for (const role of entitled(entry)) {
        const label = `${role} ${key}`;
        const seen = await makeCustomer();
        const { status, body } = await perform(limited[role], field, seen, hidden);
        if (entry.whole_workspace) {
          assert.deepEqual([status, body.code], [403, 'role_insufficient'], label);
          continue;
        }
        assert.ok(status < 500, `${label} ${status}`);
        assertUnmarked(body, label);
        const isOne = field.place !== 'query' && !withinConversation.test(key);
        if (isOne) assert.deepEqual([status, body?.code], [404, 'not_found'], `${label} ${JSON.stringify(body)}`);
        if (withoutControl.test(key)) continue;
        // The same request is a good one for a customer whom they see.
        const second = entry.id.endsWith('Merge') || entry.id.startsWith('merge') ? await makeCustomer() : seen;
        const control = await perform(limited[role], field, seen, second);
        assert.ok(
          control.status < 300,
          `${label} for a visible one: ${control.status} ${JSON.stringify(control.body)}`,
        );
      }
      assert.deepEqual(await readRows(hidden), before);
    });
  }

  it('is shown no hidden customer by an operation that names none', async () => {
    const named = new Set(leadingFields.filter(({ place }) => place !== 'body').map(({ entry }) => entry.id));
    const seen = await makeCustomer();
    const before = await readRows(hidden);
    for (const entry of all.filter(({ id, method }) => !named.has(id) && method === 'GET')) {
      for (const role of entitled(entry).filter((one) => one !== 'admin')) {
        const field: Field = { key: entry.id, entry, place: 'path', members: ['none'] };
        const { status, body } = await perform(limited[role], field, seen, seen);
        assert.ok(status < 500, `${role} ${entry.id} ${status}`);
        if (entry.whole_workspace) assert.equal(status, 403, `${role} ${entry.id}`);
        assertUnmarked(body, `${role} ${entry.id}`);
      }
    }
    for (const query of [`q=${mark}`, `q=${hidden.number.slice(1)}`, 'tag=vip']) {
      for (const path of ['/contacts', '/conversations', '/message-search']) {
        assertUnmarked((await limited.supervisor.at('GET', `${path}?${query}`)).body, `${path}?${query}`);
      }
    }
    assert.deepEqual(await readRows(hidden), before);
  });
});
