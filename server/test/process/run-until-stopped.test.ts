import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { startProcess } from '@majlis/testing/start-process';

it('ends at once on a second signal, whatever hangs', async () => {
  const hanging = startProcess('test/process/hang-on-stop.ts');
  await hanging.says('here');
  await eventually(
    () => {
      hanging.child.kill('SIGTERM');
      return hanging.child.exitCode;
    },
    (code) => code !== null,
  );
  // The end that comes by itself, before 15 s are over, has code 1.
  assert.equal(hanging.child.exitCode, 143);
});

it('ends on an error that nobody caught, and logs it without what hangs on it', async () => {
  const failing = startProcess('test/process/fail-unseen.ts');
  assert.equal((await failing.ended()).code, 1);
  assert.match(failing.stdout(), /"level":"fatal".*nobody expected this/);
  assert.doesNotMatch(failing.stdout() + failing.stderr(), /canary-secret/);
});
