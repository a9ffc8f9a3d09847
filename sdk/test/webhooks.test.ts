import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookRequest } from '@majlis/testing/webhook-receiver';
import { Majlis } from '../src/index.ts';
import { unwrap, WebhookError } from '../src/webhooks.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const client = new Majlis({ apiKey: workspace.key, baseUrl: majlis.url });
const receiver = await startWebhookReceiver();
let secret: string;
let endpoint_id: string;
let arrival: WebhookRequest;

before(async () => {
  const endpoint = await client.webhookEndpoints.create({ url: receiver.url, events: ['*'] });
  endpoint_id = endpoint.id;
  secret = endpoint.secret!;
  arrival = await nextArrival();
});

async function nextArrival(): Promise<WebhookRequest> {
  const { length } = receiver.arrivals;
  await receiveTexts(majlis, workspace, 1);
  await eventually(
    () => receiver.arrivals.length,
    (count) => count > length,
  );
  return receiver.arrivals.at(-1)!;
}

const refused = (reason: string) => (error: unknown) => error instanceof WebhookError && error.reason === reason;
const sign = (t: number, body: string | Buffer, key = secret) => {
  return `t=${t},v1=${createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')}`;
};
const now = () => Math.floor(Date.now() / 1000);

describe('a delivery of the service', () => {
  it('is unwrapped to a typed event, by the headers of Node.js, of the web and of a plain object', async () => {
    const { body, headers, signature } = arrival;
    for (const form of [
      headers,
      new Headers({ 'service-signature': signature }),
      { 'SERVICE-SIGNATURE': [signature] },
    ]) {
      const event = await unwrap(body, form, secret);
      assert.ok(event.type === 'message.received');
      assert.equal(event.data.message.direction, 'inbound');
      assert.equal(event.workspace_id, workspace.id);
    }
    const event = await unwrap(body.toString(), headers, secret);
    assert.deepEqual(event, JSON.parse(body.toString()));
    const alone = body.buffer.slice(body.byteOffset, body.byteOffset + body.length) as ArrayBuffer;
    assert.deepEqual(await unwrap(alone, headers, secret), event);
  });

  it('is accepted by the old secret and by the new one while the secret is replaced', async () => {
    const path = `/webhook-endpoints/${endpoint_id}/rotate-secret`;
    const { body: rotated } = await majlis.operator('POST', path, { overlap_seconds: 3600 });
    const { body, headers, signature } = await nextArrival();
    assert.equal(signature.match(/v1=/g)?.length, 2);
    for (const accepted of [secret, rotated.secret, ['whsec_other', secret], [rotated.secret, 'whsec_other']]) {
      assert.equal((await unwrap(body, headers, accepted)).type, 'message.received');
    }
    await assert.rejects(unwrap(body, headers, ['whsec_a', 'whsec_b']), refused('wrong_signature'));
  });
});

describe('what is no delivery', () => {
  it('is refused: a changed body, another secret, a signature in another form', async () => {
    const { body, headers, signature } = arrival;
    await assert.rejects(unwrap(`${body} `, headers, secret), refused('wrong_signature'));
    await assert.rejects(unwrap(body, headers, `${secret}x`), refused('wrong_signature'));
    const v1 = signature.split('v1=')[1]!;
    for (const forged of [
      '',
      't=1',
      `v1=${v1}`,
      `t=x,v1=${v1}`,
      `t=${now()},v1=${v1.slice(2)}`,
      `t=${now()},v1=zz`,
      'é',
    ]) {
      await assert.rejects(unwrap(body, { 'service-signature': forged }, secret), refused('no_signature'), forged);
    }
    await assert.rejects(unwrap(body, {}, secret), refused('no_signature'));
    await assert.rejects(unwrap(body, headers, ''), TypeError);
    await assert.rejects(unwrap(body, headers, []), TypeError);
  });

  it('is refused: a signature of more than five minutes ago, or from the future', async () => {
    const { body } = arrival;
    const at = (t: number) => unwrap(body, { 'service-signature': sign(t, body) }, secret);
    assert.equal((await at(now() - 290)).type, 'message.received');
    await assert.rejects(at(now() - 310), refused('too_old'));
    await assert.rejects(at(now() + 310), refused('too_old'));
    const old = { 'service-signature': sign(now() - 3000, body) };
    assert.equal((await unwrap(body, old, secret, { tolerance_seconds: 4000 })).type, 'message.received');
  });

  it('is refused: a signed body that is no event', async () => {
    for (const body of ['', '{', 'null', '[]', '{"type":1}']) {
      await assert.rejects(unwrap(body, { 'service-signature': sign(now(), body) }, secret), refused('no_event'), body);
    }
  });
});
