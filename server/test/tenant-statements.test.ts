import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { findBindingFault, readTenantTables } from '@majlis/testing/tenants/check-bindings';

const tables = readTenantTables(readFileSync('server/src/database/schema.sql', 'utf8'));
const join = 'join conversations c on c.id = m.conversation_id';
const bound = `${join} and c.workspace_id = m.workspace_id where m.workspace_id = $1`;

const sound: Record<string, string> = {
  'a join by both': `select from messages m ${bound}`,
  'a join that names the columns': `select from messages m join channels c using (workspace_id) where c.workspace_id = $1`,
  'a pair of columns': `select from messages m where (m.workspace_id, m.id) in (select workspace_id, id from json_to_recordset($1) as n (workspace_id uuid, id uuid))`,
  'a union with a condition in each part': `select from (select workspace_id from messages where workspace_id = $1 union all select workspace_id from media where workspace_id = $1) u`,
  'a condition on a whole union': `select from (select workspace_id from messages union all select workspace_id from media) u where u.workspace_id = $1`,
  'an insert': `insert into media (workspace_id, id) values ($1, $2) on conflict (workspace_id, id) do nothing`,
  'a change beside a query': `with n as (select workspace_id, id from media where workspace_id = $1) delete from messages m using n where m.workspace_id = n.workspace_id`,
  'an outer join': `select from messages m left join media f on f.workspace_id = m.workspace_id where m.workspace_id = $1`,
};

const faulty: Record<string, string> = {
  'no condition': `select from messages`,
  'a join by the id alone': `select from messages m ${join} where m.workspace_id = $1`,
  'two workspaces': `select from messages m ${join} where m.workspace_id = $1 and c.workspace_id = $2`,
  'a condition in one part of a union': `select from (select workspace_id from messages where workspace_id = $1 union all select workspace_id from media) u`,
  'a condition that need not hold': `select from messages m where m.workspace_id = $1 or m.id = $2`,
  'a condition of a subquery on the outer table': `select from messages m where not exists (select from media f where f.workspace_id = $1 and m.workspace_id = f.workspace_id)`,
  'a condition of an outer join on its first table': `select from messages m left join media f on f.workspace_id = m.workspace_id and m.workspace_id = $1`,
  'a condition beside a delete': `with gone as (delete from messages returning workspace_id) select from gone where workspace_id = $1`,
  'a subquery': `select from messages m where m.workspace_id = $1 and exists (select from media f where f.id = m.media_id)`,
  'a subquery in the columns': `select (select count(*) from media) from messages m where m.workspace_id = $1`,
  'an insert of read rows': `insert into media (workspace_id, id) select $1, id from messages`,
  'a conflict on a key without the workspace': `insert into media (workspace_id, id) values ($1, $2) on conflict (id) do nothing`,
  'queries that are joined by the id': `with n as (select * from json_to_recordset($1) as n (workspace_id uuid, id uuid)), f as (select m.workspace_id, m.id from media m join n using (workspace_id, id)) select from n join f on f.id = n.id`,
};

describe('the check of tenant conditions', () => {
  for (const [name, text] of Object.entries(sound)) {
    it(`passes ${name}`, async () => assert.equal(await findBindingFault(text, tables), undefined));
  }
  for (const [name, text] of Object.entries(faulty)) {
    it(`finds ${name}`, async () => assert.notEqual(await findBindingFault(text, tables), undefined));
  }
});
