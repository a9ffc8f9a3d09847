import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { startTestService } from '@majlis/testing/start-test-service';

const names = ['محمد الحارثي', 'مُنَى', 'Muna', 'Ünal', 'Дмитрий', '李小龍'];
const asked: [q: string, found: string[]][] = [
  ['محمد', ['محمد الحارثي']],
  ['حا', ['محمد الحارثي']],
  ['م', ['محمد الحارثي', 'مُنَى']],
  ['مني', ['مُنَى']],
  ['un', ['Muna', 'Ünal']],
  ['ü', ['Muna', 'Ünal']],
  ['МИТ', ['Дмитрий']],
  ['小', ['李小龍']],
  ['حم', ['محمد الحارثي']],
  ['دم', []],
];

for (const lc_ctype of ['C', 'C.UTF-8']) {
  describe(`search on a database with LC_CTYPE ${lc_ctype}`, async () => {
    const majlis = await startTestService({ env: { RATE_LIMITS: 'off' }, lc_ctype });
    const { api } = await majlis.workspace();
    for (const name of names) {
      const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
      const { body } = await api.post('/contacts', { name, identities });
      const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] };
      const sent = await api.post('/messages', { contact_id: body.id, kind: 'template', template });
      assert.equal(sent.status, 201, sent.text);
    }

    it('finds contacts and conversations by any letters', async () => {
      const [database] = await majlis.sql('select datctype from pg_database where datname = current_database()');
      assert.equal(database!.datctype, lc_ctype);
      for (const [q, found] of asked) {
        const query = new URLSearchParams({ q });
        const contacts = (await api.get(`/contacts?${query}`)).body.data as { name: string }[];
        assert.deepEqual(new Set(contacts.map(({ name }) => name)), new Set(found), q);
        const conversations = (await api.get(`/conversations?${query}`)).body.data as { contact_name: string }[];
        assert.deepEqual(new Set(conversations.map(({ contact_name }) => contact_name)), new Set(found), q);
      }
    });

    it('has trigrams of every name, so that the index finds it', async () => {
      const rows = await majlis.sql(
        `select from contact_search where name_key <> '' and cardinality(show_trgm(name_key)) < 4`,
      );
      assert.deepEqual(rows, []);
    });
  });
}
