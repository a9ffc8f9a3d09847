import assert from 'node:assert/strict';
import { it } from 'node:test';
import pino from 'pino';
import { createLogRefused } from './log-refused-notifications.ts';

it('logs refused notifications once a second, with their number and ids alone', () => {
  const lines: { refused: number; waba_ids: string[]; phone_number_ids: string[] }[] = [];
  let now = 0;
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const logRefused = createLogRefused(log, () => now);
  const refuse = (phone_number_ids: string[]) => logRefused({ waba_ids: ['100200'], phone_number_ids });
  refuse(['300400', 'a secret', '3'.repeat(33)]);
  for (let time = 0; time < 10; time++) refuse(['1']);
  now = 1_000;
  refuse(['1', '2', '3', '4', '5', '6']);
  assert.deepEqual(
    lines.map(({ refused, phone_number_ids }) => [refused, phone_number_ids]),
    [
      [1, ['300400']],
      [11, ['1', '2', '3', '4', '5']],
    ],
  );
  assert.deepEqual(lines[0]?.waba_ids, ['100200']);
});
