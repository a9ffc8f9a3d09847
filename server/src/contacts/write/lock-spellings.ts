import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

/** A number as it is to be kept, with the other spellings of the same number. */
export interface Spelled {
  workspace_id: string;
  channel_type: string;
  identifier: string;
  variants?: string[];
}

/** One text for all spellings of a number. */
function firstSpelling({ identifier, variants = [] }: Spelled): string {
  return [identifier, ...variants].sort()[0]!;
}

const lock = statement(`
  select pg_advisory_xact_lock(hashtextextended(name, 0))
  from (select distinct name from unnest($1::text[]) as n (name) order by name) as names`);

/**
 * Until the end of the transaction nobody else makes a contact of these people under another spelling: the unique key of
 * identities knows each spelling alone. Locks nothing for numbers that are written in one way, which most are. True where
 * the next statement must look again, as one that holds the locks.
 */
export function lockSpellings(tx: Transaction, people: readonly Spelled[]): boolean {
  const names = people
    .filter((person) => person.variants?.some((variant) => variant !== person.identifier))
    .map((person) => `contacts.spelling ${person.workspace_id} ${person.channel_type} ${firstSpelling(person)}`);
  if (names.length > 0) tx.pipeline(lock(tx, [names]));
  return names.length > 0;
}
