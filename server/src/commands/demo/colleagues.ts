import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { askOperator } from '../ask-operator.ts';
import { demoName } from '../demo-workspace.ts';
import { type Colleague, type ColleagueAct, colleagues as cast, type DemoConversation } from './day.ts';
import type { DemoDay } from './demo-day.ts';
import { waitUntil } from './wait-until.ts';

interface ListedConversation {
  id: string;
  contact_handle: string;
  /** In whole seconds, because the platform tells it. */
  last_customer_at?: string;
}

interface ListedMessage {
  id: string;
  direction: string;
  kind: string;
  created_at: string;
}

const isHeard = ({ direction, kind }: ListedMessage) => direction === 'inbound' && kind !== 'reaction';

export interface Colleagues {
  /** A call of the console's API in the demo workspace, as the colleague. */
  ask(who: Colleague, method: string, path: string, body?: object): Promise<Answer>;
  /** The id of the customer's conversation, if there is one. */
  find({ phone }: Pick<DemoConversation, 'phone'>): Promise<string | undefined>;
  /** Until so many more messages of the customer have arrived than at the last call, which was at another time of the clock. */
  waitFor(conversation: DemoConversation, more: number): Promise<void>;
  /** Until the latest message is one of the business, or an AI agent proposes one. */
  waitForAnswer(conversation: DemoConversation): Promise<void>;
  act(who: Colleague, conversation: DemoConversation, act: ColleagueAct): Promise<void>;
  /** The owner has read these conversations. */
  readAll(conversations: readonly DemoConversation[]): Promise<void>;
  /** The owner has not read the latest message of these. */
  leaveUnread(conversations: readonly DemoConversation[]): Promise<void>;
  signOut(): Promise<void>;
}

// The console's API answers with different members by the call.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Answer = any;

export const emailOf = (who: Colleague) => `${who}@acme.example`;

/** Signs all colleagues of the demo workspace in, by links of the operator. */
export async function createColleagues({ door, applied }: DemoDay): Promise<Colleagues> {
  const here = `${door.url}/console/v1/workspaces/${applied.workspace.id}`;
  const cookies = new Map<Colleague, string>();

  async function call(who: Colleague, method: string, url: string, body?: object): Promise<Response> {
    const isForm = body instanceof FormData;
    const response = await fetch(url, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: cookies.get(who) ?? '',
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const route = new URL(url).pathname;
    throw new Error(
      `the demo cannot be filled: ${method} ${route} answers ${response.status} ${await response.text()}`,
    );
  }

  async function signIn(who: Colleague): Promise<void> {
    const order = { kind: 'sign_in', workspace: demoName, email: emailOf(who), role: cast[who].role };
    const { path: link } = (await askOperator(door, 'POST', '/links', order)) as { path: string };
    const token = link.split('#')[1];
    const response = await call(who, 'POST', `${door.url}/console/v1/sign-in/link`, { token });
    await response.arrayBuffer();
    cookies.set(who, response.headers.getSetCookie()[0]!.split(';')[0]!);
  }

  async function ask(who: Colleague, method: string, route: string, body?: object): Promise<Answer> {
    const text = await (await call(who, method, here + route, body)).text();
    return text === '' ? undefined : JSON.parse(text);
  }

  const listed = new Map<string, ListedConversation>();
  const heard = new Map<string, { at?: string | undefined; count: number }>();
  let listing: Promise<void> | undefined;

  /** One reading for all that wait. */
  function list(): Promise<void> {
    listing ??= ask('aisha', 'GET', '/conversations?limit=100')
      .then(({ data }) => {
        for (const conversation of data) listed.set(conversation.contact_handle, conversation);
      })
      .finally(() => {
        listing = undefined;
      });
    return listing;
  }

  async function find({ phone }: Pick<DemoConversation, 'phone'>): Promise<string | undefined> {
    if (!listed.has(phone)) await list();
    return listed.get(phone)?.id;
  }

  async function waitFor({ phone, name }: DemoConversation, more: number): Promise<void> {
    if (more === 0) return;
    const before = heard.get(phone) ?? { count: 0 };
    const count = before.count + more;
    await waitUntil(`the messages of ${name}`, async () => {
      await list();
      const { id, last_customer_at: at } = listed.get(phone) ?? {};
      if (!id || at === before.at) return false;
      // The first of several changes the time already.
      if (more > 1 && (await messagesOf(id)).filter(isHeard).length < count) return false;
      heard.set(phone, { at, count });
      return true;
    });
  }

  async function waitForAnswer(conversation: DemoConversation): Promise<void> {
    const found = await find(conversation);
    await waitUntil(`an answer to ${conversation.name}`, async () => {
      if (!found) return false;
      if ((await messagesOf(found))[0]?.direction === 'outbound') return true;
      return (await ask('aisha', 'GET', `/proposals?conversation_id=${found}`)).data.length > 0;
    });
  }

  async function upload(who: Colleague, name: string): Promise<string> {
    const bytes = await readFile(path.join(import.meta.dirname, 'files', name));
    const type = name.endsWith('.pdf') ? 'application/pdf' : 'image/jpeg';
    const form = new FormData();
    form.set('file', new Blob([bytes], { type }), name);
    return (await ask(who, 'POST', '/media', form)).id;
  }

  const idOf = (list: 'users' | 'stages' | 'closing_categories' | 'ai_agents', name: string) =>
    applied[list].find((entry) => entry.name === name || entry.email === name)?.id;

  async function act(who: Colleague, conversation: DemoConversation, done: ColleagueAct): Promise<void> {
    const found = await find(conversation);
    if (!found && typeof done === 'object' && 'template' in done) {
      const template = { name: done.template, language: conversation.language, params: done.params };
      return ask(who, 'POST', '/messages', { to: conversation.phone, kind: 'template', template });
    }
    const at = `/conversations/${found}`;
    const send = (message: object) => ask(who, 'POST', `${at}/messages`, message);
    if (typeof done === 'string') return send({ kind: 'text', body: done });
    if ('photo' in done)
      return send({ kind: 'image', media_id: await upload(who, done.photo), body: done.caption ?? '' });
    if ('file' in done) return send({ kind: 'file', media_id: await upload(who, done.file), body: done.caption ?? '' });
    if ('template' in done) {
      const template = { name: done.template, language: conversation.language, params: done.params };
      return send({ kind: 'template', template });
    }
    if ('choices' in done) {
      const buttons = done.choices.map((title, index) => ({ id: `choice-${index}`, title }));
      return send({ kind: 'interactive', body: done.body, interactive: { type: 'buttons', buttons } });
    }
    if ('react' in done) {
      const latest = (await messagesOf(found!)).find(({ direction }) => direction === 'inbound');
      return send({ kind: 'reaction', body: done.react, reply_to_id: latest?.id });
    }
    if ('note' in done) return ask(who, 'POST', `${at}/notes`, { body: done.note });
    if ('assign' in done) return ask(who, 'POST', `${at}/assign`, { assignee_id: idOf('users', emailOf(done.assign)) });
    if ('stage' in done) return ask(who, 'PUT', `${at}/stage`, { stage_id: idOf('stages', done.stage) });
    if ('snooze_minutes' in done) {
      const until = new Date(Date.now() + done.snooze_minutes * 60_000).toISOString();
      return ask(who, 'POST', `${at}/snooze`, { until });
    }
    if ('hand_over' in done) {
      return ask(who, 'POST', `${at}/handover`, { to: 'bot', ai_agent_id: idOf('ai_agents', done.hand_over) });
    }
    const category_id = idOf('closing_categories', done.close);
    return ask(who, 'POST', `${at}/close`, { category_id, summary: done.summary });
  }

  /** Latest first. */
  async function messagesOf(id: string): Promise<ListedMessage[]> {
    const { data } = await ask('aisha', 'GET', `/conversations/${id}/messages?limit=100`);
    return data.sort((one: { created_at: string }, other: { created_at: string }) =>
      other.created_at.localeCompare(one.created_at),
    );
  }

  await Promise.all((Object.keys(cast) as Colleague[]).map(signIn));
  return {
    ask,
    find,
    waitFor,
    waitForAnswer,
    act,
    async readAll(conversations) {
      await Promise.all(
        conversations.map(async (conversation) => {
          const found = await find(conversation);
          const latest = found && (await messagesOf(found)).find(({ direction }) => direction === 'inbound');
          if (!latest) return;
          const mark = { last_read_message_id: latest.id };
          await ask('aisha', 'PUT', `/conversations/${found}/read-mark`, mark);
        }),
      );
    },
    async leaveUnread(conversations) {
      await Promise.all(
        conversations.map(async (conversation) => {
          const found = await find(conversation);
          if (found) await ask('aisha', 'POST', `/conversations/${found}/mark-unread`, {});
        }),
      );
    },
    async signOut() {
      const everybody = [...cookies.keys()];
      await Promise.all(everybody.map((who) => call(who, 'POST', `${door.url}/console/v1/sign-out`)));
    },
  };
}
