import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from './support/eventually.ts';
import { newDigits } from './support/messages.ts';
import { hearFrom } from './support/notices.ts';
import { startMajlis } from './support/start-majlis.ts';

const majlis = await startMajlis({ env: { RATE_LIMITS: 'off' } });

/** The indexes with terms that are not in their place: each search reads these beside the index. */
async function unsettled(): Promise<string[]> {
  const rows = await majlis.sql<{ relname: string }>(
    `select relname from pg_class where relname in ('contact_search_terms', 'conversation_search_terms')
       and (pgstatginindex(oid)).pending_tuples > 0 order by relname`,
  );
  return rows.map(({ relname }) => relname);
}

it('what is new, contacts and conversations, is in its place in the indexes of terms ten seconds later', async () => {
  await majlis.sql('create extension pgstattuple');
  const workspace = await majlis.workspace();
  // Ten seconds may be over at any moment, so it may take two to see what one leaves.
  const written = await eventually(
    async () => {
      await hearFrom(majlis, workspace, newDigits());
      return unsettled();
    },
    (left) => left.length === 2,
  );
  assert.deepEqual(written, ['contact_search_terms', 'conversation_search_terms']);
  await majlis.advance(11);
  await eventually(unsettled, (left) => left.length === 0, 5_000);
});
