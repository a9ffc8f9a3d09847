import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { acceptedUrls, refusedUrls } from '@majlis/testing/refused-urls';
import { startTestService } from '@majlis/testing/start-test-service';
import { startTcpServer } from '@majlis/testing/test-servers';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', WEBHOOK_ALLOW_PRIVATE: '0' } });

describe('an endpoint whose address is not on the public internet', () => {
  for (const [disguise, urls] of Object.entries(refusedUrls))
    it(`is refused at registration and at a change: ${disguise}`, async () => {
      const { api } = await majlis.workspace();
      const { id } = (await api.post('/webhook-endpoints', { url: 'https://a.example/', events: ['*'] })).body;
      for (const url of urls) {
        assertRefused(await api.post('/webhook-endpoints', { url, events: ['*'] }));
        assertRefused(await api.request('PATCH', `/webhook-endpoints/${id}`, { url }));
      }
      const { data } = (await api.get('/webhook-endpoints')).body;
      assert.deepEqual(
        data.map(({ url }: AnyJson) => url),
        ['https://a.example/'],
      );
    });

  it('is never called, and no record tells an open port from a closed one or from none', async () => {
    const trap = await startTcpServer((socket) => socket.end());
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const targets = [
      `https://127.0.0.1:${trap.port}/`,
      `https://[::ffff:7f00:1]:${trap.port}/`,
      `https://localhost:${trap.port}/`,
      `http://127.0.0.1:${trap.port}/`,
      'https://127.0.0.1:1/',
      'https://10.255.255.1/',
      'https://169.254.169.254/latest/meta-data/',
    ];
    // As they may have been registered while the installation allowed it.
    for (const [index, url] of targets.entries()) {
      const { body } = await api.post('/webhook-endpoints', { url: `https://${index}.example/`, events: ['*'] });
      assert.match(body.id, /^whe_/);
      await majlis.sql('update webhook_endpoints set url = $1 where url = $2', [url, `https://${index}.example/`]);
    }
    const endpoints: AnyJson[] = (await api.get('/webhook-endpoints')).body.data;
    assert.equal(endpoints.length, targets.length);

    const tested = endpoints.map(async ({ id }) => (await api.post(`/webhook-endpoints/${id}/test`)).body);
    assert.deepEqual(new Set((await Promise.all(tested)).map(outcomeOf)), new Set(['1 undefined 0']));
    await receiveText(majlis, workspace, newDigits());
    for (const { id } of endpoints) {
      const list = () => api.get(`/webhook-endpoints/${id}/deliveries`);
      const { body } = await eventually(list, ({ body }) => body.data.length >= 2);
      assert.deepEqual(new Set(body.data.map(outcomeOf)), new Set(['1 undefined 0']));
    }
    assert.equal(trap.connections, 0);
  });
});

describe('an endpoint whose address is on the public internet', () => {
  it('is accepted in every spelling, though its name does not resolve yet', async () => {
    const { api } = await majlis.workspace();
    for (const url of acceptedUrls) {
      const { status, text } = await api.post('/webhook-endpoints', { url, events: ['*'] });
      assert.equal(status, 201, `${url}: ${text}`);
    }
  });
});

function outcomeOf({ attempt, response_status, duration_ms }: AnyJson): string {
  return `${attempt} ${response_status} ${duration_ms}`;
}
