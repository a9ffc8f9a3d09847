import { limits } from '@majlis/contract/limits';
import { MajlisError } from '@majlis/sdk';
import type { Call, CommonOptions } from '../act.ts';
import { Failure } from '../failure.ts';
import { openClient } from '../open-client.ts';
import { printResult, tell } from '../print-result.ts';
import { printable } from '../printable.ts';
import { createProgress } from '../progress.ts';
import { readRows } from './read-rows.ts';

// The limit of imports is one of a minute: a large file waits for it several times.
const retries = 10;
const mostNamed = 20;

/** `majlis import contacts.csv`: any number of contacts, in as many calls as they need. */
export async function importContacts({ args: [file], options }: Call<CommonOptions>): Promise<void> {
  const rows = await readRows(file!);
  const { client } = await openClient(options);
  const progress = createProgress('contacts');
  const result = { created: 0, updated: 0, failed: [] as { place: string; code: string }[] };
  for (let done = 0; done < rows.length; ) {
    progress.update(done, rows.length);
    const batch = rows.slice(done, done + limits.import_contacts);
    const answer = await client.contacts
      .import({ contacts: batch.map(({ contact }) => contact) }, { maxRetries: retries })
      .catch((error: unknown) => {
        progress.end();
        if (error instanceof MajlisError) {
          tell(
            `majlis: ${done} of ${rows.length} contacts are imported. Repeat the command: it changes nothing twice.`,
          );
        }
        throw error;
      });
    result.created += answer.created;
    result.updated += answer.updated;
    for (const { index, code } of answer.failed) result.failed.push({ place: batch[index]!.place, code });
    done += batch.length;
  }
  progress.end();
  const { created, updated, failed } = result;
  if (options.json) printResult(result, { json: true });
  else if (!options.quiet) printResult({ created, updated, failed: failed.length }, {});
  if (failed.length === 0) return;
  const named = failed.slice(0, mostNamed).map(({ place, code }) => `  ${place}: ${printable(code)}`);
  if (!options.json) tell(named.join('\n'));
  throw new Failure('refused', `${failed.length} of ${rows.length} contacts were not imported. The others were.`);
}
