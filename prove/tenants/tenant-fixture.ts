import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import type { TestService, TestWorkspace } from '@majlis/testing/start-test-service';

/** A workspace and its ids by the member that requests name them by. */
export interface TenantFixture {
  workspace: TestWorkspace;
  named: Record<string, string>;
}

/** Creates a workspace with one row of each kind. Names contain `word`, which is unique. `quiet` waits for the jobs. */
export async function createTenantFixture(
  majlis: TestService,
  word: string,
  quiet: () => Promise<void>,
): Promise<TenantFixture> {
  const workspace = await majlis.workspace({
    users: [{ name: `${word} Ali`, email: `${word}@acme.example` }],
    teams: [{ name: `${word} sales`, members: [`${word}@acme.example`] }],
    stages: [{ name: `${word} customer` }],
    closing_categories: [{ name: `${word} resolved` }],
    ai_agents: [{ name: `${word} concierge` }],
    workflows: [{ name: `${word} welcome`, trigger: 'api_call', status: 'published' }],
    templates: [
      order,
      { ...order, name: `${word}_order`, language: 'sv' },
      { ...order, name: `${word}_news`, language: languageOf(word) },
    ],
  });
  const { api, applied, channel_id } = workspace;
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits, `${word} hello`);
  // A second page, for the cursors.
  for (let n = 0; n < 2; n++) await receiveText(majlis, workspace, newDigits(), `${word} again`);
  const { contact_id } = (await api.get(`/conversations/${conversation_id}`)).body;
  await api.request('PATCH', `/contacts/${contact_id}`, { name: `${word} Muna`, tags: [`${word}-tag`] });
  const message = await api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: word });
  const made = async (path: string, body: object) => {
    const { status, text, body: created } = await api.post(path, body);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
    return created.id as string;
  };
  const endpoint = { url: 'http://127.0.0.1:9/events', events: ['*'] };
  // Without variables, as its audience has no values for them.
  const template = { name: `${word}_order`, language: 'sv' };
  const audience = { tags: [`${word}-tag`] };
  const later = '2100-01-01T00:00:00Z';
  const { id: user } = applied.users[0];
  const stage_id = applied.stages[0].id;
  await api.request('PATCH', `/contacts/${contact_id}`, { stage_id });
  await api.request('PUT', `/conversations/${conversation_id}/stage`, { stage_id });
  await api.post(`/conversations/${conversation_id}/assign`, { assignee_id: user });
  const sent = { kind: 'template', template: { name: `${word}_order`, language: 'sv' } };
  await api.post(`/conversations/${conversation_id}/messages`, sent);
  const media_id = (await uploadFile(majlis, workspace, samples.png)).body.id;
  // A late report would be an event for the endpoint: its attempts fail, and a second one changes rows a minute later.
  await quiet();
  return {
    workspace,
    named: {
      ...{ conversation_id, contact_id, source_contact_id: contact_id, channel_id, media_id },
      ...{ message_id: message.body.id, reply_to_id: message.body.id, user_id: user, assignee_id: user },
      team_id: applied.teams[0].id,
      stage_id,
      category_id: applied.closing_categories[0].id,
      ai_agent_id: applied.ai_agents[0].id,
      workflow_id: applied.workflows[0].id,
      template_id: await templateOf(workspace, `${word}_order`),
      broadcast_id: await made('/broadcasts', { name: word, template, audience, send_at: later }),
      endpoint_id: await made('/webhook-endpoints', endpoint),
      tag: `${word}-tag`,
      q: word,
      template: `${word}_order`,
      language: languageOf(word),
    },
  };
}

/** That no other workspace has a template in. */
const languageOf = (word: string) => (word === 'orchid' ? 'fr' : 'tr');

async function templateOf({ api }: TestWorkspace, name: string): Promise<string> {
  const { data } = (await api.get('/chatapp/templates')).body;
  return data.find((template: { name: string }) => template.name === name).id;
}

const order = {
  name: 'order_update',
  language: 'en',
  category: 'utility',
  components: [{ type: 'body', text: 'Hello.' }],
};
