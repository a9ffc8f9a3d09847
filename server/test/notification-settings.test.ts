import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let aisha: Member;
before(async () => {
  // In Asia/Muscat, four hours before UTC.
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace, { role: 'agent' });
});

const change = (body: object, member = aisha) => member.at('PATCH', '/notification-settings', body);
const read = async (member = aisha) => (await member.at('GET', '/notification-settings')).body;

describe('the notification settings of a person', () => {
  it('notify about own and unassigned conversations at first', async () => {
    assert.deepEqual(await read(), {
      conversations: 'mine_and_unassigned',
      mentions: true,
      sound: true,
      desktop: false,
      quiet_hours: null,
      timezone: null,
      quiet_now: false,
    });
  });

  it('change by the members that are sent, for this person alone', async () => {
    const badr = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { status, body } = await change({ conversations: 'mine', desktop: true });
    assert.deepEqual([status, body.conversations, body.desktop, body.sound], [200, 'mine', true, true]);
    await change({ sound: false });
    const { conversations, sound } = await read();
    assert.deepEqual([conversations, sound], ['mine', false]);
    assert.equal((await read(badr)).conversations, 'mine_and_unassigned');
  });

  it("keep quiet hours over midnight, in the workspace's time zone or the person's own", async () => {
    const now = new Date((await aisha.get('/session')).body.now);
    const hourAt = (zone: string, minutes: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
        now.getTime() + minutes * 60_000,
      );
    const { body } = await change({
      quiet_hours: { from: hourAt('Asia/Muscat', -60), until: hourAt('Asia/Muscat', 120) },
    });
    assert.equal(body.quiet_now, true);
    const ends = (Date.parse(body.quiet_changes_at) - now.getTime()) / 60_000;
    assert.ok(ends > 110 && ends <= 120, String(ends));
    // Three hours behind Muscat, so that the quiet hours have not begun.
    assert.equal((await change({ timezone: 'Africa/Algiers' })).body.quiet_now, false);
    assert.equal((await change({ timezone: null })).body.quiet_now, true);
    await majlis.advance(121 * 60);
    assert.equal((await read()).quiet_now, false);
    const off = (await change({ quiet_hours: null })).body;
    assert.deepEqual([off.quiet_hours, off.quiet_now, off.quiet_changes_at], [null, false, undefined]);
  });

  it('refuse what is no time, no zone and no choice', async () => {
    const faults: [object, string][] = [
      [{ quiet_hours: { from: '25:00', until: '07:00' } }, '/quiet_hours/from'],
      [{ quiet_hours: { from: '22:00', until: '7 am' } }, '/quiet_hours/until'],
      [{ quiet_hours: { from: '22:00', until: '22:00' } }, '/quiet_hours/until'],
      [{ quiet_hours: { from: '22:00' } }, '/quiet_hours/until'],
      [{ timezone: 'Asia/Musqat' }, '/timezone'],
      [{ conversations: 'some' }, '/conversations'],
      [{ sound: 'yes' }, '/sound'],
    ];
    for (const [body, pointer] of faults) {
      const { status, body: answer } = await change(body);
      assert.deepEqual([status, answer.errors?.[0].pointer], [422, pointer], JSON.stringify(body));
    }
  });
});
