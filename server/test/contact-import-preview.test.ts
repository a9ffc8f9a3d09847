import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });

const contactOf = (identifier: string, name: string) => ({
  name,
  identities: [{ channel_type: 'chatapp', identifier }],
});

describe('the dry run of an import', () => {
  it('says what the import then does, and stores nothing', async () => {
    const known = `+${newDigits()}`;
    await supervisor.at('POST', '/contacts', contactOf(known, 'Known'));
    const before = (await supervisor.at('GET', '/contacts')).body.data;
    const contacts = [contactOf(`+${newDigits()}`, 'New'), contactOf(known, 'Renamed'), contactOf('12', 'Nobody'), 'x'];
    const preview = await supervisor.at('POST', '/contact-imports/preview', { contacts });
    assert.deepEqual(preview.body, {
      created: 1,
      updated: 1,
      failed: [
        { index: 2, code: 'invalid_phone' },
        { index: 3, code: 'unprocessable_content' },
      ],
    });
    assert.deepEqual((await supervisor.at('GET', '/contacts')).body.data, before);
    const imported = await supervisor.at('POST', '/contacts/import', { contacts });
    assert.deepEqual(imported.body, preview.body);
    const after = (await supervisor.at('GET', '/contacts')).body.data;
    assert.equal(after.length, before.length + 1);
  });
});

describe('the adding of a contact', () => {
  it('changes nothing of a contact that has the number already', async () => {
    const number = `+${newDigits()}`;
    const [one, other] = await Promise.all([
      supervisor.at('POST', '/new-contacts', contactOf(number, 'One')),
      supervisor.at('POST', '/new-contacts', contactOf(number, 'Other')),
    ]);
    assert.deepEqual([one.body.is_new, other.body.is_new].sort(), [false, true]);
    assert.deepEqual(one.body.contact, other.body.contact);
    const third = await supervisor.at('POST', '/new-contacts', contactOf(number, 'Third'));
    assert.deepEqual([third.body.is_new, third.body.contact.name], [false, one.body.contact.name]);
  });

  it('names the place of each value that cannot be meant', async () => {
    const before = (await supervisor.at('GET', '/contacts')).body.data;
    const { status, body } = await supervisor.at('POST', '/new-contacts', {
      ...contactOf(`+${newDigits()}`, 'Lost'),
      stage_id: 'stage_nobody',
    });
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/stage_id'], JSON.stringify(body));
    assert.deepEqual((await supervisor.at('GET', '/contacts')).body.data, before);
  });
});
