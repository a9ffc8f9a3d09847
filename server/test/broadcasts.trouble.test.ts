import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBroadcastClient } from '@majlis/testing/broadcasts';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { acceptSend, rejectSend, type SendCall, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// What happens at the platform in the middle of a broadcast. Nobody gets it twice, and the counts add up to the end.
const platform = await startScriptedPlatform();
const majlis = await startTestService({ env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' } });
const { create, untilCounts, outcomes, read } = createBroadcastClient(majlis);
const total = 60;
const taken = 20;

const callsOf = ({ phone_number_id }: TestWorkspace) =>
  platform.calls.filter((call) => call.phone_number_id === phone_number_id);
const recipients = () => Array.from({ length: total }, () => ({ to: `+${newDigits()}`, params: ['Muna', 'A-1'] }));

/** A broadcast of which the platform takes the first messages; `then` answers the later ones. */
async function begin(workspace: TestWorkspace, then: (call: SendCall) => void) {
  let accepted = 0;
  platform.script((call) => {
    if (accepted >= taken) return then(call);
    accepted++;
    acceptSend(call);
  });
  return create(workspace, { recipients: recipients() });
}

const reject =
  (code: number, status = 400) =>
  (call: SendCall) =>
    rejectSend(call, code, status);

for (const [code, status] of [
  [131056, 400],
  [80007, 400],
  [4, 400],
  [130429, 429],
  [131016, 500],
] as const) {
  it(`goes on after the limit ${code}, and nobody gets it twice`, async () => {
    const workspace = await majlis.workspace();
    let refused = 0;
    const { id } = await begin(workspace, (call) => {
      refused++;
      rejectSend(call, code, status);
    });
    await eventually(
      async () => refused,
      (count) => count > 0,
    );
    platform.script(acceptSend);
    await eventually(
      async () => {
        await majlis.advance(60);
        return callsOf(workspace).length - refused;
      },
      (count) => count >= total,
    );
    await eventually(
      () => majlis.sql("select from jobs where kind = 'messages.deliver_bulk'"),
      ({ length }) => length === 0,
    );
    assert.equal(callsOf(workspace).length - refused, total);
    assert.equal((await read(workspace, id)).counts.failed, 0);
  });
}

for (const code of [368, 131031]) {
  it(`fails who is left with the reason where the account is restricted: ${code}`, async () => {
    const workspace = await majlis.workspace();
    const { id } = await begin(workspace, reject(code, 403));
    await untilCounts(workspace, id, { failed: total - taken });
    const states = (await outcomes(workspace, id)).map(({ status, error }: AnyJson) => [status, error?.split(':')[0]]);
    assert.equal(states.filter(([, error]) => error === String(code)).length, total - taken, JSON.stringify(states));
  });
}
