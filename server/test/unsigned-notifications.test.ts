import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { notificationBody, platformText, postSigned, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { openRequest } from '@majlis/testing/open-request';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const { app_secret } = workspace;
const largest = 4_194_304;

const sign = (body: string, secret: string) =>
  `X-Hub-Signature-256: sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The status of the answer, also where the body is not sent whole. */
async function post(headers: string[], body = '', from = '127.0.0.1'): Promise<number> {
  const lines = ['POST /platform/chatapp/webhook HTTP/1.1', 'Content-Type: application/json', 'Connection: close'];
  const { socket, ended } = await openRequest(majlis.url, [...lines, ...headers], { from });
  socket.write(body);
  return Number((await within(ended, 60_000, 'the answer')).split(' ')[1]);
}

const bodyOf = (text: string) => notificationBody(workspace, { messages: [platformText(newDigits(), text)] });
const forged = (body: string) => [sign(body, 'another-secret'), `Content-Length: ${Buffer.byteLength(body)}`];
const genuine = (body: string) => [sign(body, app_secret), `Content-Length: ${Buffer.byteLength(body)}`];
const announced = ['Content-Length: 4000000'];

describe('notifications that no app signed', () => {
  const address = '127.0.0.7';

  it('are refused before their body is read where they bear no signature', async () => {
    assert.equal(await post(announced, '', address), 401);
  });

  it('are bounded for each address: 429 after 60 a minute, for large ones before their body is read', async () => {
    const body = bodyOf('forged');
    const statuses: number[] = [];
    for (let n = 0; n < 62; n++) statuses.push(await post(forged(body), body, address));
    assert.deepEqual([...new Set(statuses)], [401, 429]);
    assert.equal(statuses.filter((status) => status === 401).length, 59);
    assert.equal(await post([sign('', app_secret), ...announced], '', address), 429);
  });

  it('leave room for signed ones of the same address, and for all of another', async () => {
    const body = bodyOf('genuine');
    assert.equal(await post(genuine(body), body, address), 200);
    assert.equal(await post(genuine(body), body), 200);
    assert.equal(await post(forged(body), body), 401);
  });
});

describe('a notification', () => {
  it('of several accounts, signed once with the secret of their app, reaches each of them', async () => {
    const name = workspace.applied.workspace.name;
    const { waba_id, phone_number_id, access_token } = workspace;
    const second = { waba_id: `${waba_id}1`, phone_number_id: `${phone_number_id}1` };
    const channel = { type: 'chatapp', access_token, app_secret, verify_token: 'verify' };
    const channels = [{ ...channel, name: 'Second', ...second, display_phone: '+96880000002' }];
    assert.equal((await majlis.operator('PUT', '/workspaces', { workspace: { name }, channels })).status, 200);
    const messages = [platformText(newDigits(), 'to the first'), platformText(newDigits(), 'to the second')];
    const [one, two] = [workspace, { ...workspace, ...second }].map((account, n) =>
      JSON.parse(notificationBody(account, { messages: [messages[n]] })),
    );
    const body = JSON.stringify({ ...one, entry: [...one.entry, ...two.entry] });
    assert.equal((await postSigned(majlis, body, app_secret)).status, 200);
    const find = () =>
      majlis.sql('select from messages where platform_message_id = any($1)', [messages.map(({ id }) => id)]);
    await eventually(find, (rows) => rows.length === 2);
  });

  it('for a number without a channel is left aside, and a large one is not hashed with the secret of every app', async () => {
    const unknown = { waba_id: '1', phone_number_id: '2' };
    const messagesOf = (text: string) => ({ messages: [platformText(newDigits(), text)] });
    const small = notificationBody({ ...workspace, ...unknown }, messagesOf('lost'));
    assert.equal((await postSigned(majlis, small, app_secret)).status, 200);
    const large = notificationBody({ ...workspace, ...unknown }, messagesOf('x'.repeat(100_000)));
    assert.equal((await postSigned(majlis, large, app_secret)).status, 401);
  });

  it('of too many values is refused, though its app signed it', async () => {
    const body = `{"entry":[{"id":"${workspace.waba_id}"},${'{},'.repeat((largest - 100) / 3)}1]}`;
    assert.equal((await postSigned(majlis, body, app_secret)).status, 422);
  });

  it('is stored whole where its parts for each customer would be much longer', async () => {
    const door = await majlis.another({ ROLES: 'api' });
    await majlis.stop();
    const messages = Array.from({ length: 500 }, () => platformText(newDigits(), 'Hello'));
    const body = JSON.parse(notificationBody(workspace, { messages }));
    body.entry[0].changes[0].value.metadata.filler = 'x'.repeat(1_000_000);
    assert.equal((await postSigned(door, JSON.stringify(body), app_secret)).status, 200);
    const stored = () =>
      door.sql<{ bytes: number }>(`select length(payload) as bytes from jobs where kind like 'inbound.%'`);
    assert.equal((await stored()).length, 1);
    const worker = await door.another();
    let most = 0;
    await eventually(stored, (jobs) => {
      most = Math.max(most, jobs.length);
      return jobs.length === 0;
    });
    assert.equal(most, 1);
    await untilNotificationsProcessed(worker);
    const ids = messages.map(({ id }) => id);
    const [row] = await door.sql('select count(*)::int as count from messages where platform_message_id = any($1)', [
      ids,
    ]);
    assert.deepEqual(row, { count: 500 });
  });
});
