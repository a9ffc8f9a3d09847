import pg from 'pg';
import { cleanUp } from './cleanup.ts';

/** A transaction of this process that was committed. */
export interface Committed {
  /** With begin and commit. */
  statements: number;
  /** How often it sent while it waited for no answer: what is sent together waits once. */
  round_trips: number;
  texts: string[];
}

type Query = (...statement: unknown[]) => Promise<unknown>;

/** Lists, until the test ends, the transactions that were committed since it was asked last. */
export function watchTransactions(): () => Committed[] {
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  const open = new WeakMap<object, Committed & { unanswered: number }>();
  const committed: Committed[] = [];

  client.query = function (this: object, ...statement) {
    const [first] = statement as [string | { text: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text.startsWith('begin')) open.set(this, { statements: 0, round_trips: 0, texts: [], unanswered: 0 });
    const transaction = open.get(this);
    const answer = query.apply(this, statement);
    if (!transaction) return answer;
    transaction.statements++;
    transaction.texts.push(text.replace(/\s+/g, ' ').trim().slice(0, 90));
    if (transaction.unanswered++ === 0) transaction.round_trips++;
    const settle = () => void transaction.unanswered--;
    answer.then(settle, settle);
    if (text === 'commit') committed.push(transaction);
    if (text === 'commit' || text === 'rollback') open.delete(this);
    return answer;
  };
  cleanUp('the watch of transactions', () => {
    client.query = query;
  });
  return () => committed.splice(0);
}
