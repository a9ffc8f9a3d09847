import assert from 'node:assert/strict';
import { parseId } from '../../server/src/database/ids.ts';
import { searchKey } from '../../server/src/database/search-key.ts';
import { type ListQuery, pageThrough } from './page-through.ts';
import { type TestService, type TestWorkspace, templateMessage } from './start-test-service.ts';

/** The page sizes of these tests. */
export const pageSizes = { PAGE_SIZE_DEFAULT: '6', PAGE_SIZE_MAX: '12' };
/** The time of the earliest activity. */
export const earliestActivityMs = Date.parse('2026-11-20T09:00:00Z');

const names = [
  'Muna Said',
  'MÜNA',
  'منى الحارثي',
  'مُنَى',
  'أحمد',
  'احمد ١٢٣',
  '100% wool',
  '100 wool',
  'a_b',
  'axb',
  'c\\d',
  null,
];

/** The members of a conversation that the list filters and sorts by. */
export interface ListedConversation {
  id: string;
  contact_id: string;
  last_message_at: number;
  status: string;
  channel_type: string;
  assignee_id: string | null;
  stage_id: string | null;
  tags: string[];
  name: string | null;
}

/** Creates a workspace with two users, two stages and a team. Its conversations differ in all filters of the list. */
export async function createListedConversations(majlis: TestService, count = 8) {
  const workspace = await majlis.workspace({
    users: [
      { name: 'Aisha', email: 'aisha@acme.example' },
      { name: 'Omar', email: 'omar@acme.example' },
    ],
    stages: [{ name: 'New lead' }, { name: 'Customer' }],
    teams: [{ name: 'Sales', members: ['omar@acme.example'] }],
  });
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  const [users, stages] = [ids(workspace.applied.users), ids(workspace.applied.stages)];
  const models = await Promise.all(
    Array.from({ length: count }, (_, n) => createListedConversation(majlis, workspace, n, { users, stages })),
  );
  return { workspace, users, stages, models };
}

async function createListedConversation(
  majlis: TestService,
  { api }: TestWorkspace,
  n: number,
  { users, stages }: { users: string[]; stages: string[] },
): Promise<ListedConversation> {
  const { body: sent } = await api.post('/messages', { to: `+96891${100_000 + n}`, ...templateMessage });
  const { body: conversation } = await api.get(`/conversations/${sent.conversation_id}`);
  const model: ListedConversation = {
    id: conversation.id,
    contact_id: conversation.contact_id,
    // Several have the same millisecond, so that the id decides their order.
    last_message_at: earliestActivityMs + Math.floor(n / 4),
    status: n % 3 === 0 ? 'closed' : 'open',
    channel_type: n % 8 === 7 ? 'sms' : 'chatapp',
    assignee_id: [null, ...users][n % 3] ?? null,
    stage_id: [...stages, null][(n >> 1) % 3] ?? null,
    tags: ['vip', 'new', 'ع', '100%'].filter((_, i) => (n >> i) % 2 === 0),
    name: names[n % names.length]!,
  };
  await majlis.sql(
    `update conversations set last_message_at = $2, status = $3, channel_type = $4, assignee_id = $5, stage_id = $6
     where id = $1`,
    [
      ...[parseId('conversation', model.id), new Date(model.last_message_at), model.status, model.channel_type],
      ...[model.assignee_id && parseId('user', model.assignee_id), model.stage_id && parseId('stage', model.stage_id)],
    ],
  );
  await majlis.sql('update contacts set tags = $2, name = $3, name_key = $4 where id = $1', [
    ...[parseId('contact', model.contact_id), model.tags, model.name, searchKey(model.name)],
  ]);
  return model;
}

/** All ids of the list, from all pages. */
export async function pageThroughConversations(
  { api }: TestWorkspace,
  query: ListQuery,
  between?: (page: number) => Promise<unknown>,
): Promise<string[]> {
  const pages = await pageThrough(api, '/conversations', query, between);
  const largest = Math.min(Number(pageSizes.PAGE_SIZE_MAX), Number(query.limit ?? pageSizes.PAGE_SIZE_DEFAULT));
  for (const page of pages) assert.ok(page.length <= largest);
  return pages.flat();
}

/** Ids in the order of the list. */
export const latestFirst = (list: ListedConversation[]) =>
  list.toSorted((a, b) => b.last_message_at - a.last_message_at || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
