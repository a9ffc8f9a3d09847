import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { listRuns, publishWorkflows, startRun, untilRuns } from '@majlis/testing/workflows';

const env = { RATE_LIMITS: 'off', WORKFLOW_RUNS_PER_CHAIN: '20', WORKFLOW_RUNS_PER_MINUTE: '30' };
const majlis = await startTestService({ env });

/** Waits until no run is left to begin or to move on. */
const untilIdle = () =>
  eventually(
    () => majlis.sql(`select id from jobs where kind like 'workflows.%'`),
    (jobs) => jobs.length === 0,
  );
/** Moves the clock to the beginning of a minute. */
async function beginMinute(): Promise<void> {
  const { now } = (await majlis.operator('GET', '/clock')).body;
  await majlis.advance(60 - ((Date.parse(now) / 1000) % 60));
}

const times = (count: number, step: object) => Array.from({ length: count }, () => step);
const contact = () => ({ channel_type: 'chatapp', identifier: `+${newDigits()}` });

describe('the runs that one run leads to', () => {
  it('are bounded where a workflow starts itself ten times, and the steps beyond say so', async () => {
    const workspace = await majlis.workspace();
    const steps = times(10, { do: 'start_workflow', workflow: 'Many' });
    const ids = await publishWorkflows(majlis, workspace, { name: 'Many', trigger: 'api_call', steps });
    await beginMinute();
    const root = await startRun(workspace, ids.get('Many')!, contact());
    await untilIdle();
    const runs = await listRuns(majlis, workspace);
    assert.deepEqual([runs.length, runs[0]!.id], [21, root]);
    const failed = runs.filter(({ status }) => status === 'failed');
    assert.ok(failed.length > 0);
    for (const { reason } of failed) assert.match(reason, /^One run led to 20 others \(WORKFLOW_RUNS_PER_CHAIN\)/);
    // Another cause starts a chain of its own, up to the bound of the minute.
    await startRun(workspace, ids.get('Many')!, contact());
    await untilIdle();
    const more = await listRuns(majlis, workspace);
    assert.equal(more.length, 30);
    assert.ok(more.some(({ reason }) => /^The workspace started 30 runs in this minute/.test(reason)));
  });

  it('are bounded where tags start them, and one failed run tells of the rest', async () => {
    const workspace = await majlis.workspace();
    const steps = Array.from({ length: 4 }, (_, n) => [
      { do: 'clear_tag', tag: `t${n}` },
      { do: 'set_tag', tag: `t${n}` },
    ]).flat();
    const workflows = times(3, { trigger: 'contact_tagged', steps }).map((one, n) => ({ name: `Tags ${n}`, ...one }));
    const ids = await publishWorkflows(majlis, workspace, ...workflows, { name: 'Root', trigger: 'api_call', steps });
    await startRun(workspace, ids.get('Root')!, contact());
    await untilIdle();
    const runs = await listRuns(majlis, workspace);
    const failed = runs.filter(({ status }) => status === 'failed');
    assert.deepEqual([runs.length, failed.length], [22, 1]);
    assert.match(failed[0]!.reason, /^One run led to 20 others/);
  });
});

describe('the runs that a workspace starts in a minute', () => {
  it('are bounded: calls are refused, and events wait for the next minute, in order', async () => {
    const workspace = await majlis.workspace();
    const steps = [{ do: 'add_note', text: 'Noted' }];
    const ids = await publishWorkflows(
      majlis,
      workspace,
      { name: 'Call', trigger: 'api_call', steps },
      { name: 'Message', trigger: 'message_received', steps },
    );
    await beginMinute();
    for (let n = 0; n < 28; n++) await startRun(workspace, ids.get('Call')!, contact());
    await receiveTexts(majlis, workspace, 2);
    await untilRuns(majlis, workspace, 30);
    await receiveTexts(majlis, workspace, 3);
    await eventually(
      () => majlis.log.map((line) => JSON.parse(line)),
      (lines) =>
        lines.some(({ msg, workspace_id }) => msg === 'starts of workflows wait' && workspace_id === workspace.id),
    );
    const refused = await workspace.api.post(`/workflows/${ids.get('Call')}/runs`, { contact: contact() });
    assert.equal(assertRefused(refused, 429).code, 'rate_limited');
    assert.ok(Number(refused.headers.get('retry-after')) <= 60);
    assert.equal((await listRuns(majlis, workspace)).length, 30);
    await majlis.advance(60);
    await untilRuns(majlis, workspace, 33);
    await untilIdle();
    assert.equal((await listRuns(majlis, workspace)).length, 33);
  });
});
