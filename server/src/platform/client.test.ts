import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { drip } from '@majlis/testing/drip';
import { onceWithin } from '@majlis/testing/once-within';
import { answer, bodyOf, channel, clientOf, error, portOf, unusedPort } from '../../test/recorded/platform-server.ts';
import { recordedShape } from '../../test/recorded/recorded-shapes.ts';
import { createPlatformClient } from './client.ts';
import { PlatformRefusal } from './refusal.ts';

const { access_token } = channel;
const message = { kind: 'text', recipient: '+15550002222', callback_data: 'msg_1', body: 'Hi' } as const;

test('sends once, under the version of the base URL, and gives the platform id', async () => {
  const requests: unknown[] = [];
  const client = await clientOf(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, token: headers.authorization, body: JSON.parse(await bodyOf(request)) });
    answer(response, 200, recordedShape('sending', 'accepted'));
  });
  assert.deepEqual(await client.sendMessage(channel, message), {
    type: 'accepted',
    platform_message_id: 'wamid.HBgLMTU1NTAwMDIyMjIVAgARGBIwQTFCMkMzRDRFNUY2MDcxODIA',
    wa_id: '15550002222',
  });
  assert.deepEqual(requests, [
    {
      method: 'POST',
      url: '/v24.0/440000000000001/messages',
      token: `Bearer ${access_token}`,
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '+15550002222',
        type: 'text',
        text: { body: 'Hi' },
        biz_opaque_callback_data: 'msg_1',
      },
    },
  ]);
});

const accepted = {
  messages: [{ id: 'wamid.1', message_status: 'held_for_quality_assessment' }],
  contacts: [{ user_id: 'US.1' }],
};

const answers: [string, number, unknown, object][] = [
  [
    'a held template message',
    200,
    accepted,
    { type: 'accepted', platform_message_id: 'wamid.1', user_id: 'US.1', held: true },
  ],
  ['200 without a message id', 200, { messages: [] }, { type: 'unknown' }],
  ['200 with HTML', 200, '<html>', { type: 'unknown' }],
  ['200 with nothing', 200, '', { type: 'unknown' }],
  ['an error in a 200', 200, error(131047), { type: 'refused', retry: 'never' }],
  ['a wrong parameter', 400, recordedShape('errors', 'synchronous'), { type: 'refused', retry: 'never' }],
  [
    'an expired token',
    401,
    recordedShape('errors', 'token_expired'),
    { type: 'refused', retry: 'never', channel_fault: 'credentials' },
  ],
  ['a missing permission', 403, error(230), { type: 'refused', retry: 'never', channel_fault: 'credentials' }],
  ['a restricted account', 403, error(131031), { type: 'refused', retry: 'never', channel_fault: 'restricted' }],
  ['a number not registered', 400, error(133010), { type: 'refused', retry: 'never', channel_fault: 'unregistered' }],
  ['the throughput limit as 400', 400, recordedShape('errors', 'throughput'), { type: 'refused', retry: 'throughput' }],
  ['the throughput limit as 429', 429, recordedShape('errors', 'throughput'), { type: 'refused', retry: 'throughput' }],
  ['the pair limit', 400, recordedShape('errors', 'pair'), { type: 'refused', retry: 'pair' }],
  ['code 1 as 400', 400, error(1), { type: 'refused', retry: 'transient' }],
  ['code 1 as 500', 500, error(1), { type: 'unknown' }],
  ['an unknown code as 400', 400, error(999999), { type: 'refused', retry: 'never' }],
  [
    'an unknown code that calls itself transient',
    400,
    error(999999, { is_transient: true }),
    { type: 'refused', retry: 'transient' },
  ],
  ['an unknown code as 500', 500, error(999999, { is_transient: true }), { type: 'unknown' }],
  ['code 2 as 503', 503, error(2), { type: 'refused', retry: 'transient' }],
  ['code 131000 as 500', 500, error(131000), { type: 'refused', retry: 'transient' }],
  ['502 with HTML', 502, '<html>Bad gateway</html>', { type: 'unknown' }],
  ['503 with nothing', 503, '', { type: 'unknown' }],
  ['500 with other JSON', 500, { error: 'oops' }, { type: 'unknown' }],
  ['404 with HTML', 404, '<html>', { type: 'refused', retry: 'never' }],
  ['429 with nothing', 429, '', { type: 'refused', retry: 'throughput' }],
  ['408 with nothing', 408, '', { type: 'unknown' }],
];

for (const [name, status, body, outcome] of answers) {
  test(`reads ${name} as ${JSON.stringify(outcome)}`, async () => {
    const client = await clientOf((_request, response) => answer(response, status, body));
    const found = await client.sendMessage(channel, message);
    assert.deepEqual({ ...found, ...outcome }, found);
    if (found.type === 'refused' && !('channel_fault' in outcome)) assert.equal(found.channel_fault, undefined);
  });
}

test('follows no redirect, which accepts nothing', async () => {
  let asked = 0;
  const client = await clientOf((_request, response) => {
    asked += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const outcome = await client.sendMessage(channel, message);
  assert.deepEqual([outcome.type, asked], ['refused', 1]);
});

const silences: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
  ['hangs before its head', () => {}],
  ['hangs after its head', (_request, response) => response.writeHead(200).flushHeaders()],
  [
    'drips for ever',
    (_request, response) => {
      const { stop } = drip(() => response.write(' '), 20);
      response.on('close', stop);
    },
  ],
  ['resets once it has read', (request) => request.socket.resetAndDestroy()],
  ['closes once it has read', (request) => request.socket.end()],
  [
    'stops in the middle of a 200',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"messages":[{"id":"wamid.1"}');
      setImmediate(() => response.destroy());
    },
  ],
  [
    'answers with more than it should',
    (_request, response) => answer(response, 200, JSON.stringify(accepted) + ' '.repeat(2 * 1024 * 1024)),
  ],
];

for (const [name, behave] of silences) {
  test(`knows nothing of a send to a server that ${name}, and does not send again`, async () => {
    let asked = 0;
    const client = await clientOf(
      async (request, response) => {
        asked += 1;
        await bodyOf(request);
        behave(request, response);
      },
      { timeout_ms: 300 },
    );
    const outcome = await client.sendMessage(channel, message);
    assert.equal(outcome.type, 'unknown');
    assert.equal(asked, 1);
  });
}

test('takes a 400 whose body is lost for a refusal worth another try', async () => {
  const client = await clientOf((_request, response) => {
    response.writeHead(400, { 'content-length': 100 }).write('{"error":');
    setImmediate(() => response.destroy());
  });
  const outcome = await client.sendMessage(channel, message);
  assert.ok(outcome.type === 'refused');
  assert.deepEqual([outcome.retry, outcome.error.code], ['transient', 400]);
});

test('reaches nobody at a port that refuses, with nothing written', async () => {
  const client = createPlatformClient({ base_url: `http://127.0.0.1:${await unusedPort()}`, timeout_ms: 2000 });
  cleanUp('a client', () => client.close());
  assert.deepEqual(await client.sendMessage(channel, message), { type: 'unreachable', reason: 'ECONNREFUSED' });
});

test('reaches nobody under a name that does not exist', async () => {
  const client = createPlatformClient({ base_url: 'http://platform.invalid/v24.0', timeout_ms: 2000 });
  cleanUp('a client', () => client.close());
  assert.equal((await client.sendMessage(channel, message)).type, 'unreachable');
});

test('reaches nobody where no TLS handshake succeeds', async () => {
  const server = createTcpServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  cleanUp('a server', () => server.close());
  const client = createPlatformClient({ base_url: `https://127.0.0.1:${portOf(server)}`, timeout_ms: 2000 });
  cleanUp('a client', () => client.close());
  assert.equal((await client.sendMessage(channel, message)).type, 'unreachable');
});

test('reaches nobody where a TLS handshake never ends', async () => {
  const sockets: Socket[] = [];
  cleanUp('the connections', () => sockets.forEach((socket) => void socket.destroy()));
  const server = createTcpServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  cleanUp('a server', () => server.close());
  const client = createPlatformClient({ base_url: `https://127.0.0.1:${portOf(server)}`, timeout_ms: 300 });
  assert.equal((await client.sendMessage(channel, message)).type, 'unreachable');
});

test('sends on a new connection once the server has closed the idle one', async () => {
  const closings: Promise<unknown>[] = [];
  const client = await clientOf(async (request, response) => {
    await bodyOf(request);
    closings.push(onceWithin(request.socket, 'close'));
    response.once('finish', () => request.socket.end());
    answer(response, 200, recordedShape('sending', 'accepted'));
  });
  for (let round = 1; round <= 3; round++) {
    assert.equal((await client.sendMessage(channel, message)).type, 'accepted');
    await Promise.all(closings);
    assert.equal(closings.length, round);
  }
});

test('repeats no token, not even one that the platform quotes', async () => {
  const body = error(190, { message: `Malformed access token ${access_token}`, error_data: access_token });
  const client = await clientOf((_request, response) => answer(response, 400, body));
  const failure = await client.getPhoneNumber(channel).catch((thrown: unknown) => thrown);
  assert.ok(failure instanceof PlatformRefusal);
  const seen = JSON.stringify([
    await client.sendMessage(channel, message),
    failure.message,
    failure.error,
    failure.stack,
  ]);
  assert.ok(seen.includes('Malformed access token [token]'));
  assert.ok(!seen.includes(access_token));
});

test('reads the phone number', async () => {
  const client = await clientOf((_request, response) =>
    answer(response, 200, recordedShape('resources', 'phone_number')),
  );
  assert.deepEqual(await client.getPhoneNumber(channel), {
    phone_number_id: '440000000000001',
    display_phone: '15550001111',
    verified_name: 'Example Shop',
    quality: 'GREEN',
    status: 'CONNECTED',
    tier: { messaging_tier: 2000, unlimited: false },
  });
});
