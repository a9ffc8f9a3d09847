import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scripts } from '../src/index.ts';
import { startTestSimulator, wamidOf } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator({ switches: { held_ms: 30, slow_answer_ms: 20 } });
let pair = 10;
/** A number nobody has used, whose last six digits order the script. */
const number = (suffix: string) => `+1555${++pair}${suffix}`;
const silently = async (run: Promise<unknown>) => run.then(() => 'answered').catch(() => 'broken');

for (const script of scripts.filter((one) => one.effect.kind === 'refuse')) {
  test(`refuses as ${script.name} says, and accepts nothing`, async () => {
    assert.ok(script.effect.kind === 'refuse');
    const to = number(script.suffix);
    const before = s.simulator.ledger().length;
    for (let time = 0; time < (script.times ?? 1); time++) {
      const { status, body } = await s.sendTemplate(to);
      assert.equal(body.error?.code, script.effect.code);
      assert.ok(status >= 400);
    }
    assert.equal(s.simulator.ledger().length, before);
    if (script.times !== undefined) assert.equal((await s.sendTemplate(to)).status, 200);
  });
}

for (const script of scripts.filter((one) => one.effect.kind === 'fail')) {
  test(`fails later as ${script.name} says`, async () => {
    assert.ok(script.effect.kind === 'fail');
    const answer = await s.sendTemplate(number(script.suffix));
    assert.equal(answer.status, 200);
    await s.settled();
    const [status, ...others] = s.statusesOf(wamidOf(answer));
    assert.equal(status?.errors?.[0]?.code, script.effect.code);
    assert.equal(others.length, 0);
  });
}

test('answers 5xx in HTML, accepting or not as the script says', async () => {
  for (const [suffix, status, accepted] of [
    ['500500', 500, 0],
    ['500502', 502, 1],
    ['500503', 503, 0],
    ['502502', 502, 1],
  ] as const) {
    const before = s.simulator.ledger().length;
    const answer = await s.sendTemplate(number(suffix));
    assert.equal(answer.status, status);
    assert.match(String(answer.body.text), /^<!DOCTYPE html>/);
    assert.equal(s.simulator.ledger().length - before, accepted);
  }
});

test('reports the statuses of a send whose answer was lost, with the caller’s own words', async () => {
  const to = number('500506');
  assert.equal(await silently(s.sendTemplate(to, { biz_opaque_callback_data: 'msg_lost' })), 'broken');
  await s.settled();
  const [entry] = s.simulator.ledger().filter((one) => one.to === to);
  const statuses = s.statusesOf(entry!.wamid);
  assert.equal(statuses.length, 3);
  assert.ok(statuses.every((status) => status.biz_opaque_callback_data === 'msg_lost'));
});

test('resets without accepting', async () => {
  const to = number('500507');
  assert.equal(await silently(s.sendTemplate(to)), 'broken');
  assert.ok(s.simulator.ledger().every((one) => one.to !== to));
});

test('never answers an accepted send, and is silent about it when the script says so', async () => {
  const [told, silent] = [number('500504'), number('502504')];
  void silently(s.sendTemplate(told));
  void silently(s.sendTemplate(silent));
  await until(
    'both are accepted',
    () => s.simulator.ledger().filter((one) => one.to === told || one.to === silent).length === 2,
  );
  await s.settled();
  const wamid = (to: string) => s.simulator.ledger().find((one) => one.to === to)!.wamid;
  assert.equal(s.statusesOf(wamid(told)).length, 3);
  assert.equal(s.statusesOf(wamid(silent)).length, 0);
});

test('breaks the first send only, when the script says once', async () => {
  const to = number('501506');
  assert.equal(await silently(s.sendTemplate(to)), 'broken');
  assert.equal((await s.sendTemplate(to)).status, 200);
});

test('posts the statuses before the answer', async () => {
  const answer = await s.sendTemplate(number('700001'));
  assert.equal(s.statusesOf(wamidOf(answer)).length, 3);
});

test('plays the scripts of statuses', async () => {
  const expected: Record<string, string[]> = {
    '700003': ['delivered', 'delivered', 'delivered', 'read', 'read', 'read', 'sent', 'sent', 'sent'],
    '700004': ['delivered', 'sent'],
    '700005': ['read', 'sent'],
    '700006': ['failed', 'sent'],
    '700007': ['delivered', 'failed', 'sent'],
    '700008': ['delivered', 'failed'],
    '700011': ['sent'],
    '700012': [],
    '700013': ['delivered', 'played', 'read', 'sent'],
    '700015': ['delivered', 'read'],
  };
  const answers = await Promise.all(
    Object.keys(expected).map(async (suffix) => [suffix, await s.sendTemplate(number(suffix))] as const),
  );
  await s.settled();
  for (const [suffix, answer] of answers) {
    const seen = s.statusesOf(wamidOf(answer)).map((status) => status.status);
    assert.deepEqual(seen.sort(), expected[suffix], suffix);
  }
});

test('holds a template for assessment, then releases it or fails it with 132015', async () => {
  const [released, refused] = [await s.sendTemplate(number('700009')), await s.sendTemplate(number('700010'))];
  for (const answer of [released, refused]) {
    assert.equal(
      (answer.body.messages as { message_status: string }[])[0]?.message_status,
      'held_for_quality_assessment',
    );
  }
  await s.settled();
  assert.equal(s.statusesOf(wamidOf(released)).length, 3);
  assert.equal(s.statusesOf(wamidOf(refused))[0]?.errors?.[0]?.code, 132015);
});

test('leaves the caller’s words out of the statuses of 700014', async () => {
  const answer = await s.sendTemplate(number('700014'), { biz_opaque_callback_data: 'msg_3' });
  await s.settled();
  const statuses = s.statusesOf(wamidOf(answer));
  assert.equal(statuses.length, 3);
  assert.ok(statuses.every((status) => status.biz_opaque_callback_data === undefined));
});

test('ignores the numbers once scripts are switched off', async () => {
  await s.control('PATCH', 'settings', { switches: { scripts: false } });
  assert.equal((await s.sendTemplate(number('130429'))).status, 200);
  await s.control('PATCH', 'settings', { switches: { scripts: true } });
});
