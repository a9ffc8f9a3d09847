import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

it('writes one JSON line for each message, with a readable time and level', () => {
  const line = JSON.parse(logged((log) => log.info({ rows: 3 }, 'done')));
  assert.equal(line.level, 'info');
  assert.equal(line.rows, 3);
  assert.equal(line.msg, 'done');
  assert.match(line.time, /^\d{4}-\d\d-\d\dT/);
});

it('lets no secret through, at the top or one level down', () => {
  const secrets = {
    authorization: 'canary',
    token: 'canary',
    access_token: 'canary',
    app_secret: 'canary',
    password: 'canary',
  };
  const line = logged((log) => log.info({ ...secrets, channel: secrets, req: { headers: secrets } }, 'seen'));
  assert.doesNotMatch(line, /canary/);
});

it('writes an error without what hangs on it', () => {
  const error = Object.assign(new Error('it broke'), { detail: 'canary' });
  const line = logged((log) => log.error({ err: error }, 'failed'));
  assert.match(line, /it broke/);
  assert.doesNotMatch(line, /canary/);
});
