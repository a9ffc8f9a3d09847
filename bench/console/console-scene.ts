import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import pino from 'pino';
import { type Browser, type CDPSession, chromium, type Page, type Request } from 'playwright-core';
import { parseId, publicId } from '../../server/src/database/ids.ts';
import { openPool } from '../../server/src/database/pool.ts';
import { indexSettled } from '../../server/src/messages/search/index-messages.ts';
import { type BenchEnvironment, createBenchEnvironment } from '../environment.ts';
import { fillContacts, fillConversations, fillMessages, fillPeople } from '../fill-inbox.ts';
import type { BenchService } from '../service.ts';
import { makeWorkspaces } from '../tenants.ts';

export const conversationCount = 100_000;
/** The slow computer of a person, as a multiple of the time that this one takes. */
export const throttling = 4;
const daysOfActivity = 30;
const messagesOfLongThreads = 200;
const longThreads = 300;
const ownConversations = 200;

/** A large workspace, a person in it, and Chromium. */
export interface ConsoleScene extends AsyncDisposable {
  environment: BenchEnvironment;
  service: BenchService;
  workspace_id: string;
  member: Member;
  inbox_url: string;
  open(): Promise<ConsolePage>;
}

/** A page of the person in a browser without a cache, on a slow computer. */
export interface ConsolePage extends AsyncDisposable {
  page: Page;
  devtools: CDPSession;
  /** Requests below `/console/v1`, in their order. */
  requests: string[];
  /** Addresses of scripts, in their order. */
  scripts: string[];
}

export async function setConsoleScene(): Promise<ConsoleScene> {
  await using stack = new AsyncDisposableStack();
  const environment = stack.adopt(await createBenchEnvironment(0), (one) => one.close());
  const { db } = environment;
  const [tenant] = await makeWorkspaces(environment, 1);
  const { workspace_id } = tenant!;
  await fillPeople(db, workspace_id);
  await fillContacts(db, workspace_id, conversationCount);
  await fillConversations(db, workspace_id, daysOfActivity);
  const service = await environment.start('api,worker', { LOG_LEVEL: 'error', CONNECTIONS_PER_ADDRESS: '5000' });
  const operator = (method: string, path: string, body?: unknown) => requestOperator(service.url, method, path, body);
  const workspace = { id: publicId('workspace', workspace_id), applied: { workspace: { name: 'Bench 0' } } };
  const member = await joinWorkspace({ url: service.url, operator }, workspace, { role: 'agent' });
  await shapeInbox(environment, workspace_id, parseId('user', member.user_id)!);
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = stack.use(await chromium.launch({ executablePath, args: ['--no-sandbox'] }));
  const opened = stack.move();
  return {
    environment,
    service,
    workspace_id,
    member,
    inbox_url: `${service.url}/w/${workspace.id}/inbox`,
    open: () => openConsolePage(browser, service.url, member),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The latest conversations have long threads, and the person has some of them. */
async function shapeInbox(environment: BenchEnvironment, workspace_id: string, user_id: string): Promise<void> {
  const { db } = environment;
  await db.query(
    `create table latest as select id, row_number() over (order by last_message_at desc) as n from conversations
     where workspace_id = $1 and status = 'open' order by last_message_at desc limit ${longThreads}`,
    [workspace_id],
  );
  await db.query('delete from messages where workspace_id = $1 and conversation_id in (select id from latest)', [
    workspace_id,
  ]);
  await fillMessages(db, workspace_id, 'c.id in (select id from latest)', messagesOfLongThreads);
  await db.query(
    `update conversations set assignee_id = $2 where workspace_id = $1 and id in (
       select id from conversations where workspace_id = $1 and status = 'open' order by last_message_at desc
       limit ${ownConversations})`,
    [workspace_id, user_id],
  );
  await db.query('drop table latest');
  await indexAll(environment);
  // What the filling has published is no work of the console's.
  await db.query('truncate live_changes');
  await db.query('vacuum analyze');
}

/** A workspace of this size was indexed long ago. All messages are committed, so none has to settle. */
async function indexAll({ connection }: BenchEnvironment): Promise<void> {
  const log = pino({ level: 'silent' });
  const pool = openPool({ connection, size: 2, statement_timeout_ms: 60_000, log });
  await indexSettled(pool, { nowMs: () => Date.now() + 60_000 });
  await pool.close();
}

const probe = readFileSync(fileURLToPath(import.meta.resolve('./page-probe.js')), 'utf8');

async function openConsolePage(browser: Browser, url: string, member: Member): Promise<ConsolePage> {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url })));
  await context.addInitScript(probe);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttling });
  const requests: string[] = [];
  const scripts: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/console/v1/')) requests.push(`${request.method()} ${pathname}`);
    else if (pathname.endsWith('.js')) scripts.push(pathname);
  });
  return { page, devtools, requests, scripts, [Symbol.asyncDispose]: () => context.close() };
}

/** Numbers of the page's process, such as the seconds of its tasks. */
export async function metricsOf({ devtools }: ConsolePage): Promise<Record<string, number>> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** A message of a customer, stored as the service does. */
export async function storeInbound(
  { environment: { db }, workspace_id }: ConsoleScene,
  conversation_id: string,
  text = `And this one? ${randomUUID()}`,
) {
  await db.query(
    `with stored as (
       insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, actor_kind, created_at)
       select workspace_id, uuidv7(), id, channel_id, 'inbound', 'text', $3, 'contact', now()
       from conversations where workspace_id = $1 and id = $2 returning id)
     update conversations c set last_message_at = now(), last_customer_at = now(), last_customer_message_id = stored.id,
       window_expires_at = now() + interval '1 day'
     from stored where c.workspace_id = $1 and c.id = $2`,
    [workspace_id, conversation_id, text],
  );
}
