import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const identitiesOf = (digits: string) => [{ channel_type: 'chatapp', identifier: `+${digits}` }];
const add = (body: object) => admin.at('POST', '/new-contacts', body);
const acts = async () => (await admin.at('GET', '/audit?action=addContact')).body.data.length;

describe('the addition of a contact by a person', () => {
  it('answers one that has the identity already, and leaves it as it is', async () => {
    const identities = identitiesOf(newDigits());
    const added = await add({ identities, name: 'Muna' });
    assert.deepEqual([added.status, added.body.is_new, added.body.contact.name], [200, true, 'Muna']);
    const again = await add({ identities, name: 'Salim' });
    assert.deepEqual([again.status, again.body], [200, { contact: added.body.contact, is_new: false }]);
    const read = await admin.at('GET', `/contacts/${added.body.contact.id}`);
    assert.equal(read.body.name, 'Muna');
    assert.equal(await acts(), 1);
  });

  it('is refused with the place of what is at fault', async () => {
    const { status, body } = await add({ identities: [{ channel_type: 'chatapp', identifier: '+0' }] });
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/identities/0/identifier'], JSON.stringify(body));
  });

  it('does not take a fault of the service for a known contact', async () => {
    const fault = { on: 'before insert on contacts', body: `raise 'no contact';` };
    const { status } = await withTrigger(majlis, fault, () => add({ identities: identitiesOf(newDigits()) }));
    assert.equal(status, 500);
  });
});
