import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { type Fault, startFaultyAnswers } from '@majlis/testing/faulty-answers';
import { newDigits } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import {
  AbortedError,
  ApiError,
  ConflictError,
  ConnectionError,
  Majlis,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
} from '../src/index.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const network = await startFaultyAnswers(majlis.url);
const client = new Majlis({ apiKey: workspace.key, baseUrl: network.url });
const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
const order = { kind: 'template' as const, template };

let from = 0;
beforeEach(() => {
  from = network.requests.length;
});
const tries = () => network.requests.slice(from);
const sentTo = (to: string) => majlis.simulator.ledger().filter((entry) => JSON.stringify(entry).includes(to.slice(1)));

const before: Fault[] = [
  { kind: 'reset_before' },
  { kind: 'answer_before', status: 500 },
  { kind: 'answer_before', status: 503, headers: { 'retry-after': '0' }, body: '{"code":"service_unavailable"}' },
  { kind: 'answer_before', status: 429, headers: { 'retry-after': '1' }, body: '{"code":"rate_limited"}' },
  { kind: 'answer_before', status: 408 },
];
const afterwards: Fault[] = [
  { kind: 'reset_after' },
  { kind: 'cut_body' },
  { kind: 'hang_after' },
  { kind: 'answer_after', status: 502 },
  { kind: 'answer_after', status: 504 },
];
const name = (fault: Fault) => `${fault.kind}${'status' in fault ? ` ${fault.status}` : ''}`;

describe('a send, once', () => {
  for (const fault of [...before, ...afterwards]) {
    it(`although: ${name(fault)}`, async () => {
      const to = `+${newDigits()}`;
      network.fail(fault, fault);
      const timeout_ms = fault.kind === 'hang_after' ? 2_000 : 60_000;
      const message = await client.messages.send({ to, ...order }, { timeout_ms });
      assert.equal(tries().length, 3);
      assert.equal(new Set(tries().map(({ headers }) => headers['idempotency-key'])).size, 1);
      await eventually(
        () => client.messages.get(message.id),
        ({ status }) => status === 'read',
      );
      assert.equal(sentTo(to).length, 1);
      const [stored] = await majlis.sql(
        `select count(*)::int as count from messages m join contact_identities i on i.contact_id =
          (select contact_id from conversations c where c.id = m.conversation_id) where i.identifier = $1`,
        [to],
      );
      assert.equal(stored!.count, 1);
    });
  }

  it('with a key of its own for each call', async () => {
    const to = `+${newDigits()}`;
    await client.messages.send({ to, ...order });
    await client.messages.send({ to, ...order });
    const keys = tries().map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 2);
  });

  it('also by two calls with the same key, as after a crash of the caller', async () => {
    const to = `+${newDigits()}`;
    const send = () => client.messages.send({ to, ...order }, { idempotencyKey: `order-${to}` });
    assert.equal((await send()).id, (await send()).id);
  });
});

describe('a write that takes no key', () => {
  const noteIn = async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const notes = async () => {
      const messages = await Array.fromAsync(client.conversations.listMessages(conversation_id));
      return messages.filter(({ kind }) => kind === 'note').length;
    };
    return { conversation_id, notes };
  };

  for (const fault of before.filter((fault) => 'status' in fault && [408, 429].includes(fault.status))) {
    it(`is tried again where it was refused: ${name(fault)}`, async () => {
      const { conversation_id, notes } = await noteIn();
      network.fail(fault);
      await client.conversations.addNote(conversation_id, { body: 'She asked for a call.' });
      assert.equal(await notes(), 1);
    });
  }

  for (const fault of afterwards) {
    it(`is not tried again where it may have acted: ${name(fault)}`, async () => {
      const { conversation_id, notes } = await noteIn();
      network.fail(fault);
      const noting = client.conversations.addNote(conversation_id, { body: 'Once.' }, { timeout_ms: 3_000 });
      await assert.rejects(noting, (error) => error instanceof ConnectionError || error instanceof ApiError);
      assert.equal(await notes(), 1);
    });
  }

  it('is tried again where nobody took the connection', async () => {
    const calls: string[] = [];
    const unreachable = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    const refusing: typeof fetch = async (...[url, init]) => {
      calls.push(String(url));
      if (calls.length < 3) throw unreachable;
      return fetch(url, init);
    };
    const { conversation_id, notes } = await noteIn();
    const own = new Majlis({ apiKey: workspace.key, baseUrl: majlis.url, fetch: refusing });
    await own.conversations.addNote(conversation_id, { body: 'Third time.' });
    assert.deepEqual([calls.length, await notes()], [3, 1]);
  });

  it('may be tried again where a repetition changes nothing', async () => {
    const { conversation_id } = await noteIn();
    network.fail({ kind: 'reset_after' }, { kind: 'answer_after', status: 502 });
    const { status } = await client.conversations.close(conversation_id, { summary: 'Done.' });
    assert.equal(status, 'closed');
    const closings = await majlis.sql('select id from conversation_closings where summary = $1', ['Done.']);
    assert.equal(closings.length, 1);
  });
});

describe('a deletion', () => {
  it('whose answer was lost has succeeded when the object is gone', async () => {
    const contact = await client.contacts.upsert({
      identities: [{ channel_type: 'chatapp', identifier: newDigits() }],
    });
    network.fail({ kind: 'reset_after' });
    assert.equal(await client.contacts.delete(contact.id), undefined);
    assert.equal((await workspace.api.get(`/contacts/${contact.id}`)).status, 404);
  });

  it('of what never was is an error', async () => {
    await assert.rejects(client.contacts.delete('ct_01m7w31z74fr9872adbwge5t31'), NotFoundError);
  });
});

describe('retries', () => {
  it('end after two, or after as many as the caller allows', async () => {
    const fault: Fault = { kind: 'answer_before', status: 503, body: '{"code":"service_unavailable"}' };
    network.fail(fault, fault, fault);
    await assert.rejects(client.workspace.get(), { name: 'ServiceUnavailableError', code: 'service_unavailable' });
    assert.equal(tries().length, 3);
    network.fail(fault);
    await assert.rejects(client.workspace.get({ maxRetries: 0 }), { status: 503 });
    assert.equal(tries().length, 4);
  });

  it('are not made for a conflict: none of its codes allows one', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    await client.conversations.close(conversation_id);
    from = network.requests.length;
    const error = await client.conversations.sendMessage(conversation_id, { kind: 'text', body: 'Hi' }).catch((e) => e);
    assert.ok(error instanceof ConflictError);
    assert.deepEqual([error.code, error.status, tries().length], ['conversation_closed', 409, 1]);
  });

  it('are left to the caller where the service asks for a long wait', async () => {
    network.fail({
      kind: 'answer_before',
      status: 429,
      headers: { 'retry-after': '3600' },
      body: '{"code":"rate_limited"}',
    });
    const error = await client.workspace.get().catch((e) => e);
    assert.ok(error instanceof RateLimitedError);
    assert.deepEqual([error.retryAfter_seconds, tries().length], [3600, 1]);
  });

  it('wait as long as the service asks', async () => {
    const begun = performance.now();
    network.fail({
      kind: 'answer_before',
      status: 429,
      headers: { 'retry-after': '2' },
      body: '{"code":"rate_limited"}',
    });
    await client.workspace.get();
    assert.ok(performance.now() - begun >= 2_000);
  });
});

describe('a slow answer', () => {
  it('ends by the timeout of each attempt, which includes the body', async () => {
    network.fail({ kind: 'hang_after' }, { kind: 'hang_after' });
    // Long enough for each attempt to arrive, also on a busy machine.
    await assert.rejects(client.workspace.get({ timeout_ms: 2_000, maxRetries: 1 }), TimeoutError);
    assert.equal(tries().length, 2);
  });

  it('ends by the signal of the caller, without another attempt', async () => {
    network.fail({ kind: 'hang_after' });
    const end = new AbortController();
    const reading = client.workspace.get({ signal: end.signal });
    await eventually(tries, ({ length }) => length === 1);
    end.abort();
    await assert.rejects(reading, AbortedError);
    assert.equal(tries().length, 1);
  });

  it('does not begin where the signal has fired, and its wait for a retry ends by it', async () => {
    await assert.rejects(client.workspace.get({ signal: AbortSignal.abort() }), AbortedError);
    assert.equal(tries().length, 0);
    network.fail({ kind: 'answer_before', status: 429, headers: { 'retry-after': '50' }, body: '{}' });
    const end = new AbortController();
    const reading = client.workspace.get({ signal: end.signal });
    await eventually(tries, ({ length }) => length === 1);
    end.abort();
    await assert.rejects(reading, AbortedError);
  });
});
