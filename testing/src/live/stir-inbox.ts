import type { AnyJson } from '../json.ts';
import { platformText, postNotification } from '../notifications.ts';
import { type Member, password } from '../people.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { TestService, TestWorkspace } from '../start-test-service.ts';

interface Stirred {
  majlis: TestService;
  workspace: TestWorkspace;
  /** Who looks. The drafts and the mentions are theirs. */
  viewer: Member;
  colleague: Member;
  customers: readonly string[];
  /** This conversation stays: a page shows it. */
  kept_id: string;
}

/** Does one random thing that changes what an inbox shows. */
export async function stirInbox(random: SeededRandom, stirred: Stirred, turn: number): Promise<void> {
  const { majlis, workspace, viewer, colleague, customers, kept_id } = stirred;
  const at = (member: Member, method: string, path: string, body?: object) => member.at(method, path, body);
  const { body } = await at(colleague, 'GET', '/conversations?limit=50');
  // When all are closed, one is left.
  const kept = async () => (await at(colleague, 'GET', `/conversations/${kept_id}`)).body;
  const conversation: AnyJson = random.pick(body.data.length > 0 ? body.data : [await kept()]);
  const path = `/conversations/${conversation.id}`;
  const now = Date.parse((await colleague.get('/session')).body.now);
  const customer = random.pick(customers);
  const things = [
    () =>
      postNotification(majlis, workspace, {
        contacts: [{ profile: { name: `Customer ${customer}` }, wa_id: customer }],
        messages: [platformText(customer, `message ${turn}`)],
      }),
    () => at(colleague, 'POST', `/conversations/${kept_id}/messages`, { kind: 'text', body: `answer ${turn}` }),
    () => at(colleague, 'POST', `${path}/assign`, { assignee_id: random.pick([viewer, colleague]).user_id }),
    () => at(colleague, 'POST', `${path}/assign`, { assignee_id: null }),
    () => at(colleague, 'POST', `${path}/close`, {}),
    () => at(colleague, 'POST', `${path}/reopen`),
    () => at(colleague, 'POST', `${path}/snooze`, { until: new Date(now + 3_600_000).toISOString() }),
    () => at(colleague, 'POST', `${path}/notes`, { body: `@${turn % 2 ? 'Viewer' : 'nobody'} note ${turn}` }),
    () => at(colleague, 'PATCH', `/contacts/${conversation.contact_id}`, { tags: [`tag ${turn % 5}`] }),
    () => at(colleague, 'PATCH', `/contacts/${conversation.contact_id}`, { name: `Name ${turn}` }),
    async () => {
      if (conversation.id !== kept_id) await at(viewer, 'PUT', `${path}/drafts/reply`, { body: `draft ${turn}` });
    },
    async () => {
      if (conversation.id === kept_id) return;
      await colleague.post('/confirm', { password });
      await at(colleague, 'DELETE', `/contacts/${conversation.contact_id}`);
    },
  ];
  await random.pick(things)();
}
