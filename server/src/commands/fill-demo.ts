import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { examples } from '@majlis/contract';
import { demoCustomer } from './demo-workspace.ts';
import type { Demo } from './open-demo.ts';

type ExampleName = keyof typeof examples.ids;
type Ids = Partial<Record<ExampleName, string>>;

/**
 * Answers the demo's ids by the ids in the examples of the reference, so that each example works on the demo as printed. The
 * first start makes what the workspace file cannot: contacts, a file, a broadcast, webhook endpoints.
 */
export async function fillDemo(url: string, { key, applied }: Demo, data_dir: string): Promise<Map<string, string>> {
  const file = path.join(data_dir, 'demo-examples.json');
  if (!key || !applied) return mapExamples(await readIds(file));
  const ids = await makeExamples(createCaller(url, key), applied);
  await writeFile(file, JSON.stringify(ids, undefined, 2), { mode: 0o600 });
  return mapExamples(ids);
}

async function readIds(file: string): Promise<Ids> {
  return readFile(file, 'utf8').then(JSON.parse, () => ({}));
}

function mapExamples(ids: Ids): Map<string, string> {
  return new Map(Object.entries(ids).map(([name, id]) => [examples.ids[name as ExampleName], id]));
}

async function makeExamples(call: Caller, applied: NonNullable<Demo['applied']>): Promise<Ids> {
  const { data: conversations } = await call('GET', '/conversations?limit=100');
  const conversation = conversations.find(({ contact_handle }) => contact_handle === demoCustomer.phone)!;
  const { data: messages } = await call('GET', `/conversations/${conversation.id}/messages`);
  const { data: templates } = await call('GET', '/chatapp/templates');
  const templateId = (name: string) => templates.find((one) => one.name === name)?.id;
  await call('POST', '/custom-fields', examples.customField);
  const addContact = async (name: string, identifier: string) =>
    (await call('POST', '/contacts', { name, identities: [{ channel_type: 'chatapp', identifier }] })).id;
  const addEndpoint = async (): Promise<string> => {
    const { url, events } = examples.webhookEndpoint;
    const { id } = await call('POST', '/webhook-endpoints', { url, events });
    // Nobody listens there: an enabled endpoint would fail for days.
    await call('PATCH', `/webhook-endpoints/${id}`, { enabled: false });
    return id;
  };
  const { name, template, audience, send_at } = examples.broadcast;
  await call('PATCH', `/contacts/${conversation.contact_id}`, { tags: audience.tags });
  return {
    workspace: applied.workspace.id,
    channel: applied.channels[0]!.id,
    stage: applied.stages[0]!.id,
    closing_category: applied.closing_categories[0]!.id,
    user: applied.users[0]!.id,
    team: applied.teams[0]!.id,
    ai_agent: applied.ai_agents[0]!.id,
    workflow: applied.workflows[0]!.id,
    template: templateId(examples.template.name)!,
    old_template: templateId('winter_sale')!,
    conversation: conversation.id,
    message: messages[0]!.id,
    inbound_message: messages[0]!.id,
    contact: conversation.contact_id,
    other_contact: await addContact('Muna (former number)', '+96892345678'),
    old_contact: await addContact('Salim', '+96893456789'),
    media: await uploadReceipt(call),
    broadcast: (await call('POST', '/broadcasts', { name, template, audience, send_at })).id,
    webhook_endpoint: await addEndpoint(),
    event: (await call('GET', '/events?limit=1')).data[0]!.id,
    old_webhook_endpoint: await addEndpoint(),
  };
}

function uploadReceipt(call: Caller): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'receipt.pdf');
  return call('POST', '/media', form).then(({ id }) => id);
}

interface Entry {
  id: string;
  contact_handle?: string;
  contact_id: string;
  name?: string;
}

type Caller = (method: string, route: string, body?: object) => Promise<Entry & { data: Entry[] }>;

function createCaller(url: string, key: string): Caller {
  return async (method, route, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/v1${route}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the demo cannot be filled: ${method} ${route} answers ${response.status}`);
    return response.json() as ReturnType<Caller>;
  };
}
