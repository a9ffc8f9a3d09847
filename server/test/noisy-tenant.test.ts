import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', DATABASE_POOL_SIZE: '4', ROLES: 'api' } });
const [noisy, other] = [await majlis.workspace(), await majlis.workspace()];

const searches = (api: typeof noisy.api) => Array.from({ length: 30 }, (_, n) => api.get(`/contacts?q=${n}`));
const lockContacts = 'lock table contacts in access exclusive mode';

it('a workspace whose searches take long leaves connections to the others', async () => {
  const { flood, list } = await whileHeld(majlis, lockContacts, async () => {
    const flood = searches(noisy.api);
    await untilWaiting(majlis, 2, 'c.language, c.dialect, c.vip');
    return { flood, list: await other.api.get('/custom-fields') };
  });
  assert.equal(list.status, 200);
  assert.deepEqual([...new Set((await Promise.all(flood)).map(({ status }) => status))], [200]);
});

it('a workspace has one share of the connections, for its keys and its people together', async () => {
  const member = await joinWorkspace(majlis, noisy);
  const { flood, list } = await whileHeld(majlis, lockContacts, async () => {
    const flood = [
      ...searches(noisy.api),
      ...Array.from({ length: 30 }, (_, n) => member.at('GET', `/contacts?q=${n}`)),
    ];
    await untilWaiting(majlis, 2, 'c.language, c.dialect, c.vip');
    return { flood, list: await other.api.get('/custom-fields') };
  });
  assert.equal(list.status, 200);
  assert.deepEqual([...new Set((await Promise.all(flood)).map(({ status }) => status))], [200]);
});

it('a workspace has that share for what its people read in the console alone, too', async () => {
  const member = await joinWorkspace(majlis, noisy);
  const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
  const contact_id = (await noisy.api.post('/contacts', { identities })).body.id;
  const { flood, list } = await whileHeld(majlis, lockContacts, async () => {
    const flood = Array.from({ length: 30 }, () => member.at('GET', `/contacts/${contact_id}/consent-records`));
    await untilWaiting(majlis, 2, 'c.language, c.dialect, c.vip');
    return { flood, list: await other.api.get('/custom-fields') };
  });
  assert.equal(list.status, 200);
  assert.deepEqual([...new Set((await Promise.all(flood)).map(({ status }) => status))], [200]);
});

it('a page that stands still delays no other workspace that asks in the same moment', async () => {
  const { pages, list } = await whileHeld(majlis, lockContacts, async () => {
    const pages = Array.from({ length: 30 }, (_, n) => noisy.api.get(`/contacts?limit=${n + 1}`));
    return { pages, list: await other.api.get('/custom-fields') };
  });
  assert.equal(list.status, 200);
  assert.deepEqual([...new Set((await Promise.all(pages)).map(({ status }) => status))], [200]);
});

it('a pool of one connection serves everybody, one after the other', async () => {
  const small = await majlis.another({ DATABASE_POOL_SIZE: '1' });
  const apis = [noisy, other].map(({ key }) => createApi(small.url, key));
  const replies = await Promise.all(apis.flatMap(searches));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
});
