import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';

// The answer to a customer who came by an advertisement may be stored before the advertisement's message (platform protocol, section 11).
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off' },
  simulator: { delays: { sent_ms: 1, delivered_ms: 2, read_ms: null, review_ms: 10 } },
});
const workspace = await majlis.workspace({ prices: { utility: 8, service: 5 } });
const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
const hour_s = 3600;
const margin_s = 20;

const nowS = async () => Math.floor(Date.parse((await majlis.operator('GET', '/clock')).body.now) / 1000);
const moveTo = async (seconds: number) => majlis.advance(seconds - (await nowS()));

async function post(value: Record<string, unknown>, field?: string): Promise<void> {
  await postNotification(majlis, workspace, value, field);
  await untilNotificationsProcessed(majlis);
}

/** A customer comes by an advertisement, told when their message was written, seconds since 1970. */
const comeByAd = (digits: string, at: number, more: object = {}) => {
  const referral = { source_type: 'ad', source_id: '1', source_url: 'https://ads.example/1' };
  return post({ messages: [platformText(digits, 'Hi', { timestamp: String(at), referral, ...more })] });
};

const answerByPhone = (digits: string, at: number) => {
  const echo = { ...platformText('96880000001', 'Welcome', { timestamp: String(at) }), to: digits };
  return post({ message_echoes: [echo] }, 'smb_message_echoes');
};

const quote = async (digits: string): Promise<number> =>
  (await agent.at('POST', '/quote', { to: `+${digits}`, template: templateMessage.template })).body.total_minor;

/** What a template costs right before and right after a moment. */
async function pricesAround(digits: string, moment: number): Promise<number[]> {
  await moveTo(moment - margin_s);
  const before = await quote(digits);
  await moveTo(moment + margin_s);
  return [before, await quote(digits)];
}

it('an answer from the phone app that is reported before the advertisement’s message begins the free time', async () => {
  const digits = newDigits();
  const at = await nowS();
  await answerByPhone(digits, at - 50);
  await comeByAd(digits, at - 100);
  assert.deepEqual(await pricesAround(digits, at - 50 + 72 * hour_s), [0, 8]);
});

it('a template that leaves before the advertisement’s message is reported begins the free time', async () => {
  const digits = newDigits();
  const at = await nowS();
  const { status, text } = await workspace.api.post('/messages', { to: `+${digits}`, ...templateMessage });
  assert.equal(status, 201, text);
  await untilDispatched(majlis);
  await majlis.advance(hour_s);
  await comeByAd(digits, at - 100);
  assert.deepEqual(await pricesAround(digits, at + 72 * hour_s), [0, 8]);
});

it('an answer within the day begins the free time, whichever comes first, and one before the advertisement does not', async () => {
  const [answered, early] = [newDigits(), newDigits()];
  const at = await nowS();
  await answerByPhone(answered, at - 20);
  await answerByPhone(answered, at - 60);
  await answerByPhone(answered, at - 3 * hour_s);
  await comeByAd(answered, at - 100);
  await answerByPhone(early, at - 150);
  await comeByAd(early, at - 100);
  assert.deepEqual(await pricesAround(early, at - 100 + 24 * hour_s), [0, 8]);
  assert.deepEqual(await pricesAround(answered, at - 60 + 72 * hour_s), [0, 8]);
});
