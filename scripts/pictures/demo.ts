import { makeFolder, startProcess } from '@majlis/testing/start-process';
import type { APIRequestContext, Browser, BrowserContextOptions } from 'playwright-core';
import { invitations } from './demo-people.ts';

export interface Demo {
  url: string;
  workspace_id: string;
  /** The cookie of the owner. */
  signedIn: NonNullable<BrowserContextOptions['storageState']>;
  endpoint_id: string;
  /** A broadcast that has been sent. */
  broadcast_id: string;
  /** The path of a link that invites a person. */
  join_path: string;
  /** A contact with consents. */
  contact_id: string;
  /** The ids of conversations by the phone number of the customer. */
  conversations: ReadonlyMap<string, string>;
}

/** Starts the product on a folder of its own, whose demo shows a day of work. */
export async function openDemo(browser: Browser): Promise<Demo> {
  const env = { DATA_DIR: await makeFolder(), PORT: '0', SIMULATOR_PORT: '0' };
  const product = startProcess('bin/majlis.js', ['dev', '--quiet-customers'], { env });
  const [, sign_in_link] = await product.says(/Console +(http\S+)/);
  const url = new URL(sign_in_link!).origin;

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(sign_in_link!);
  await page.waitForURL('**/inbox');
  const workspace_id = /\/w\/([^/]+)/.exec(page.url())![1]!;
  const { join_path, endpoint_id, broadcast_id } = await fillWorkspace(
    context.request,
    `${url}/console/v1/workspaces/${workspace_id}`,
  );
  const base = `${url}/console/v1/workspaces/${workspace_id}`;
  const listed = await (await context.request.get(`${base}/conversations?limit=100`)).json();
  const conversations = new Map<string, string>(
    listed.data.map(({ contact_handle, id }: { contact_handle: string; id: string }) => [contact_handle, id]),
  );
  const contact_id = listed.data.find(
    ({ contact_name }: { contact_name?: string }) => contact_name === 'Priya Raman',
  ).contact_id;
  const signedIn = await context.storageState();
  await context.close();
  return { url, workspace_id, endpoint_id, broadcast_id, signedIn, join_path, conversations, contact_id };
}

async function fillWorkspace(request: APIRequestContext, base: string) {
  async function post(path: string, data: unknown) {
    const response = await request.post(`${base}${path}`, { data });
    if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`);
    return response.json();
  }
  for (const name of ['Shop', 'Warehouse']) {
    await post('/api-keys', { name, environment: name === 'Shop' ? 'live' : 'test', scopes: ['messages:write'] });
  }
  for (const order of invitations) await post('/invitations', order);
  const { link } = await post('/invitations', { email: 'noor@acme.example', role: 'agent' });
  const [, endpoint_id] = await Promise.all(
    ['http://127.0.0.1:8090/orders', 'http://127.0.0.1:9/crm'].map((url) => addEndpoint(url)),
  );
  const broadcast_id = await addBroadcasts();
  return { join_path: new URL(link).pathname + new URL(link).hash, endpoint_id: endpoint_id!, broadcast_id };

  /** One is sent, and some of its numbers cannot be reached; another waits for its day. */
  async function addBroadcasts(): Promise<string> {
    const template = { name: 'order_update', language: 'en' };
    const digits = [...Array.from({ length: 40 }, (_, n) => `9689${2_000_000 + n}`), '96890131026', '96891131026'];
    const recipients = digits.map((to, n) => ({ to: `+${to}`, params: [`Customer ${n + 1}`, `A-${1_000 + n}`] }));
    const { id } = await post('/broadcasts', { name: 'Orders of Friday', template, audience: { recipients } });
    const send_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const later = { name: 'طلبات الأسبوع', template, audience: { recipients: recipients.slice(0, 12) }, send_at };
    await post('/broadcasts', later);
    return id;
  }

  async function addEndpoint(url: string): Promise<string> {
    const { id } = await post('/webhook-endpoints', { url, events: ['message.received', 'message.status_updated'] });
    await post(`/webhook-endpoints/${id}/test`, {});
    return id;
  }
}
