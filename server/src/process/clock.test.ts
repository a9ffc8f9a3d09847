import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import pino from 'pino';
import type { Connection } from '../database/pool.ts';
import { startClock } from './clock.ts';

it('goes forward only, though an answer from before a move arrives after it', async () => {
  const log = pino({ level: 'silent' });
  const late: (() => void)[] = [];
  let offset_ms = 0;
  let isHeld = false;
  const connection: Connection = {
    log,
    async query<Row>({ text, values }: { text: string; values: readonly unknown[] }) {
      if (text.startsWith('update')) offset_ms += values[0] as number;
      const rows = [{ now_ms: Date.now(), offset_ms }] as Row[];
      if (isHeld) await new Promise<void>((resolve) => late.push(resolve));
      return rows;
    },
  };
  const clock = await startClock(connection, log);
  cleanUp('the clock', async () => clock.stop());
  const begun = clock.nowMs();
  isHeld = true;
  const [release] = await eventually(
    async () => late,
    (held) => held.length > 0,
  );
  isHeld = false;
  await clock.advance(3600);
  release!();
  await new Promise(setImmediate);
  // The late answer also measures the time anew, by as much as it took.
  const passed_ms = clock.nowMs() - begun;
  assert.ok(passed_ms > 3_590_000, `the clock went ${passed_ms} ms forward`);
});
