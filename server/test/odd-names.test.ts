import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

// Names that the sender makes. A pattern such as `.*` stops at each of these signs, and the value of the name went unread.
describe('a value whose name has a line break is checked like any other', () => {
  for (const sign of ['\n', '\r', '\u2028', '\u2029']) {
    const name = `a${sign}b`;
    const shown = JSON.stringify(name);

    it(`in the prices of a workspace file: ${shown}`, async () => {
      const file = { workspace: { name: 'Odd' }, prices: { [name]: 'free' } };
      const { status, body } = await majlis.operator('PUT', '/workspaces', file);
      assert.deepEqual([status, body.errors?.[0].pointer], [422, `/prices/${name}`]);
    });

    it(`in the headers of a call: ${shown}`, async () => {
      for (const value of [7, null, {}, ['x']]) {
        const steps = [{ do: 'call', url: 'https://shop.example', headers: { [name]: value } }];
        const workflows = [{ name: 'Call', status: 'published', trigger: 'api_call', steps }];
        const { status, body } = await majlis.operator('PUT', '/workspaces', { workspace: { name: 'Odd' }, workflows });
        assert.equal(status, 422, JSON.stringify(body));
      }
    });

    it(`in the shortcuts of a person: ${shown}`, async () => {
      const person = await joinWorkspace(majlis, await majlis.workspace());
      const before = (await person.get('/session')).body.person.shortcuts;
      const { status } = await person.request('PATCH', '/profile', { shortcuts: { [name]: { code: [1, 2] } } });
      assert.equal(status, 422);
      assert.deepEqual((await person.get('/session')).body.person.shortcuts, before);
    });
  }
});
