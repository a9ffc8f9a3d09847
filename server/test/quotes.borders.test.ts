import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

// What a quote says right before and right after a window ends, and what the platform then charges (platform protocol, section 11).
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off' },
  simulator: { delays: { sent_ms: 1, delivered_ms: 2, read_ms: null, review_ms: 10 } },
});
const workspace = await majlis.workspace({ prices: { utility: 8, service: 5 } });
const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
const margin_s = 20;
const hour = 3_600_000;
const text = { kind: 'text', body: 'Hello' };
const referral = { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' };

const nowMs = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
const moveTo = async (ms: number) => majlis.advance((ms - (await nowMs())) / 1000);

/** A customer writes; answers the moment, by whole seconds. */
async function write(digits: string, more: object = {}): Promise<number> {
  const at = Math.floor((await nowMs()) / 1000) * 1000;
  const from = { phone_number_id: workspace.phone_number_id, from: digits, at: new Date(at).toISOString() };
  const wamid = majlis.simulator.inject({ ...from, type: 'text', content: 'Hi', ...more });
  await eventually(
    () => majlis.sql('select 1 from messages where platform_message_id = $1', [wamid]),
    ({ length }) => length === 1,
  );
  return at;
}

const quote = async (digits: string, content: object) => {
  const template = 'template' in content ? { template: content.template } : {};
  const { body } = await agent.at('POST', '/quote', { to: `+${digits}`, ...template });
  return body;
};

/** Sends, and answers what the quote said and what was booked. */
async function price(digits: string, content: object = templateMessage) {
  const { total_minor } = await quote(digits, content);
  const { body, status, text: answer } = await workspace.api.post('/messages', { to: `+${digits}`, ...content });
  assert.equal(status, 201, answer);
  const [row] = await eventually(
    () =>
      majlis.sql<{ fee: number }>('select -amount_minor::int as fee from ledger_entries where reference = $1', [
        parseId('message', body.id),
      ]),
    ({ length }) => length === 1,
  );
  return { quoted: total_minor, booked: row!.fee, at: Date.parse(body.created_at) };
}

it('an answer right before the end of the day after an advertisement begins the free time, and one right after it does not', async () => {
  const [early, late] = [newDigits(), newDigits()];
  const at = await write(early, { referral });
  const at_late = await write(late, { referral });
  await moveTo(at + 24 * hour - margin_s * 1000);
  const first = await price(early);
  assert.deepEqual([first.quoted, first.booked], [0, 0]);
  await moveTo(at_late + 24 * hour + margin_s * 1000);
  const second = await price(late);
  assert.deepEqual([second.quoted, second.booked], [8, 8]);
  await moveTo(first.at + 72 * hour - margin_s * 1000);
  const inTime = await price(early);
  assert.deepEqual([inTime.quoted, inTime.booked], [0, 0]);
  await moveTo(first.at + 72 * hour + margin_s * 1000);
  const behind = await price(early);
  assert.deepEqual([behind.quoted, behind.booked], [8, 8]);
});

it('a text right before the end of the window costs what the quote says, and one right after it is refused by both', async () => {
  const digits = newDigits();
  const at = await write(digits);
  await moveTo(at + 24 * hour - margin_s * 1000);
  const sent = await price(digits, text);
  assert.deepEqual([sent.quoted, sent.booked], [5, 5]);
  await moveTo(at + 24 * hour + margin_s * 1000);
  assert.equal((await quote(digits, text)).verdict.code, 'window_closed');
  assert.equal((await workspace.api.post('/messages', { to: `+${digits}`, ...text })).body.code, 'window_closed');
  const template = await price(digits);
  assert.deepEqual([template.quoted, template.booked], [8, 8]);
});

it('the free time goes on behind the end of the window, for templates alone', async () => {
  const digits = newDigits();
  await write(digits, { referral });
  const first = await price(digits, text);
  assert.deepEqual([first.quoted, first.booked], [0, 0]);
  await moveTo(first.at + 25 * hour);
  assert.equal((await quote(digits, text)).verdict.code, 'window_closed');
  const template = await price(digits);
  assert.deepEqual([template.quoted, template.booked], [0, 0]);
});

it('a second advertisement within the free time begins another one with its own answer', async () => {
  const digits = newDigits();
  await write(digits, { referral });
  const first = await price(digits);
  await moveTo(first.at + 50 * hour);
  await write(digits, { referral });
  await moveTo(first.at + 71 * hour);
  const second = await price(digits);
  assert.deepEqual([second.quoted, second.booked], [0, 0]);
  await moveTo(second.at + 72 * hour - margin_s * 1000);
  const inTime = await price(digits);
  assert.deepEqual([inTime.quoted, inTime.booked], [0, 0]);
  await moveTo(second.at + 72 * hour + margin_s * 1000);
  const behind = await price(digits);
  assert.deepEqual([behind.quoted, behind.booked], [8, 8]);
});

it('an advertisement that is answered never leaves the free time of the one before as it is', async () => {
  const digits = newDigits();
  await write(digits, { referral });
  const first = await price(digits);
  await moveTo(first.at + 50 * hour);
  await write(digits, { referral });
  await moveTo(first.at + 72 * hour + margin_s * 1000);
  // The second one still waits for its answer.
  const second = await price(digits);
  assert.deepEqual([second.quoted, second.booked], [0, 0]);
  await moveTo(second.at + 60 * hour);
  const third = await price(digits);
  assert.deepEqual([third.quoted, third.booked], [0, 0]);
});

it('the day after an advertisement ends a day after its message came, where the platform’s clock is ahead', async () => {
  const digits = newDigits();
  const timestamp = String(Math.floor((await nowMs()) / 1000) + 3_000);
  await postNotification(majlis, workspace, { messages: [platformText(digits, 'Hi', { timestamp, referral })] });
  await untilNotificationsProcessed(majlis);
  await majlis.advance(24 * 3600 + margin_s);
  assert.equal((await quote(digits, templateMessage)).total_minor, 8);
});
