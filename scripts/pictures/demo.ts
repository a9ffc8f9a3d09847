import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, startProcess } from '@majlis/testing/start-process';
import type { APIRequestContext, Browser, BrowserContextOptions } from 'playwright-core';
import { customers, invitations, people } from './demo-people.ts';

export interface Demo {
  url: string;
  workspace_id: string;
  /** The cookie of the owner. */
  signedIn: NonNullable<BrowserContextOptions['storageState']>;
  /** The path of a link that invites a person. */
  join_path: string;
}

/** Starts the product on a folder of its own and fills the demo workspace as a day of work does. */
export async function openDemo(browser: Browser): Promise<Demo> {
  const DATA_DIR = await makeFolder();
  const env = { DATA_DIR, PORT: '0', SIMULATOR_PORT: '0' };
  const product = startProcess('bin/majlis.js', ['dev'], { env });
  const [, sign_in_link] = await product.says(/Console +(http\S+)/);
  const [, simulator_url] = await product.says(/Customer phone +(http\S+)/);
  const url = new URL(sign_in_link!).origin;
  const control_token = (await readFile(path.join(DATA_DIR, 'simulator-token'), 'utf8')).trim();
  for (const customer of customers) await write(simulator_url!, control_token, customer);

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(sign_in_link!);
  await page.waitForURL('**/inbox');
  const workspace_id = /\/w\/([^/]+)/.exec(page.url())![1]!;
  const join_path = await fillWorkspace(context.request, `${url}/console/v1/workspaces/${workspace_id}`);
  // Each customer's last message is in the list.
  await page.getByText(customers.at(-1)!.name).waitFor();
  const signedIn = await context.storageState();
  await context.close();
  return { url, workspace_id, signedIn, join_path };
}

async function write(simulator_url: string, control_token: string, { phone, name, texts }: (typeof customers)[number]) {
  for (const content of texts) {
    const response = await fetch(`${simulator_url}/control/inbound`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phone_number_id: '300400', from: phone, name, type: 'text', content }),
    });
    if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
  }
}

async function fillWorkspace(request: APIRequestContext, base: string): Promise<string> {
  async function post(path: string, data: unknown) {
    const response = await request.post(`${base}${path}`, { data });
    if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`);
    return response.json();
  }
  for (const name of ['Shop', 'Warehouse']) {
    await post('/api-keys', { name, environment: name === 'Shop' ? 'live' : 'test', scopes: ['messages:write'] });
  }
  for (const { name, email, role } of people) {
    const { link } = await post('/invitations', { email, role });
    await join(new URL(base).origin, new URL(link).hash.slice(1), name);
  }
  for (const order of invitations) await post('/invitations', order);
  const { link } = await post('/invitations', { email: 'noor@acme.example', role: 'agent' });
  return new URL(link).pathname + new URL(link).hash;
}

/** Without the owner's cookies: the person who joins is another one. */
async function join(origin: string, token: string, name: string): Promise<void> {
  const response = await fetch(`${origin}/console/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token, name, password: 'seven calm camels' }),
  });
  if (!response.ok) throw new Error(`nobody joined: ${response.status} ${await response.text()}`);
}
