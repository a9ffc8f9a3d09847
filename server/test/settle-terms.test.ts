import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { addKnowledge } from '@majlis/testing/knowledge';
import { newDigits } from '@majlis/testing/messages';
import { hearFrom } from '@majlis/testing/notices';
import { startMajlis } from '@majlis/testing/start-majlis';

const majlis = await startMajlis({ env: { RATE_LIMITS: 'off' } });

/** Of each index of terms, how many rows are not in their place: each search reads these beside the index. */
async function waiting(): Promise<Record<string, number>> {
  const rows = await majlis.sql<{ relname: string; waiting: number }>(
    `select relname, (pgstatginindex(c.oid)).pending_tuples::int as waiting
     from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'gin' order by relname`,
  );
  return Object.fromEntries(rows.map(({ relname, waiting }) => [relname, waiting]));
}

it('what is new is in its place ten seconds later, in every index of terms', async () => {
  await majlis.sql('create extension pgstattuple');
  const workspace = await majlis.workspace();
  // Ten seconds may be over at any moment, so it may take two to see what one leaves.
  const before = await eventually(
    async () => {
      await hearFrom(majlis, workspace, newDigits());
      await addKnowledge(majlis, workspace, { text: 'We open at nine.' });
      return waiting();
    },
    (found) => Object.values(found).every((rows) => rows > 0),
  );
  assert.deepEqual(Object.keys(before), [
    'contact_search_terms',
    'conversation_search_terms',
    'knowledge_passages_terms',
  ]);
  await majlis.advance(11);
  await eventually(waiting, (found) => Object.values(found).every((rows) => rows === 0), 5_000);
});
