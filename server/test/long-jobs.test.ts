import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { listen } from '@majlis/testing/listen';
import { samples, sized, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';

/** The platform, a model and a page in one. What moves bytes or thinks is not answered. */
function answerShortCalls({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const answers: [RegExp, object][] = [
    [/subscribed_apps/, { data: [{ whatsapp_business_api_data: { id: '1' } }] }],
    [/\/uploads\?/, { id: 'upload:1' }],
    [/\/media-of-customer\?/, { url: `${silent}/file`, mime_type: 'image/png' }],
  ];
  const answer = answers.find(([path]) => path.test(url))?.[1];
  if (answer) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}
const silent: string = await listen(createServer(answerShortCalls));

// A lease of 6 s is renewed every 2 s. Each of these calls may take half a minute or more.
const majlis = await startTestService({
  env: {
    ...{ CHATAPP_API_URL: silent, PLATFORM_TIMEOUT_SECONDS: '1', LEASE_SECONDS: '6', RATE_LIMITS: 'off' },
    ...{ AI_BASE_URL: silent, AI_MODEL: 'test-model', AI_TIMEOUT_SECONDS: '60', AI_QUIET_SECONDS: '0' },
  },
});

/** The first lease of a job of this kind, and one of the same claim that ends later. */
async function untilRenewed(kind: string): Promise<void> {
  const read = async () =>
    (
      await majlis.sql('select id, attempts, leased_until from jobs where kind = $1 and worker_id is not null', [kind])
    )[0];
  const first = (await eventually(read, (row) => row !== undefined))!;
  const later = await eventually(read, (row) => row !== undefined && row.leased_until > first.leased_until);
  assert.deepEqual([later!.id, later!.attempts], [first.id, first.attempts], kind);
}

it('a job whose work may outlast its lease renews it, so no other worker begins the same', async () => {
  const workspace = await majlis.workspace({ ai_agents: [{ name: 'Concierge' }] });
  const { api, applied } = workspace;
  const conversation_id = await receiveText(majlis, workspace, newDigits());
  const media_id = (await uploadFile(majlis, workspace, sized(samples.png, 4_000_000))).body.id;

  assert.equal((await api.post(`/conversations/${conversation_id}/messages`, { kind: 'image', media_id })).status, 201);
  const image = { id: 'media-of-customer', mime_type: 'image/png' };
  const file = platformText(newDigits(), '', { type: 'image', image, text: undefined });
  await postNotification(majlis, workspace, { messages: [file] });
  const header = { type: 'header', format: 'image', examples: [media_id] };
  const template = { name: 'with_file', language: 'en', category: 'utility' };
  const components = [header, { type: 'body', text: 'Look.' }];
  assert.equal((await api.post('/chatapp/templates', { ...template, components })).status, 201);
  assert.equal((await api.post('/ai/knowledge-sources', { type: 'url', url: `${silent}/page` })).status, 202);
  const digits = newDigits();
  const led = await receiveText(majlis, workspace, digits);
  const to_bot = { to: 'bot', ai_agent_id: applied.ai_agents[0].id };
  assert.equal((await api.post(`/conversations/${led}/handover`, to_bot)).status, 200);
  await receiveText(majlis, workspace, digits, 'When do you open?');
  await whileHeld(majlis, 'lock table idempotency_keys', async () => {
    await majlis.sql(
      `update jobs set run_at = now(), is_ready = true, wakes_at = null where kind = 'http.forget_keys'`,
    );

    const kinds = ['messages.deliver_message', 'messages.fetch_media', 'templates.submit_template'];
    kinds.push('ai.index_source', 'ai.answer_message', 'http.forget_keys');
    await Promise.all(kinds.map(untilRenewed));
  });
});
