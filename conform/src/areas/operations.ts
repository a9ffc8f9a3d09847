import { type Operation, operations as table } from '@majlis/contract';
import { describeAnswer } from '../answer.ts';
import { defineArea } from '../clause.ts';
import { schemaFaults } from '../schema-faults.ts';
import type { Session } from '../session.ts';
import { Broken, NotChecked } from '../verdict.ts';

/** One clause for each operation: whatever it answered in this run is in its documented schema. */
export const operations = defineArea(
  'operations',
  Object.values<Operation>(table).map((operation) => {
    const { id, method, path, reply, label } = operation;
    const text = `${method} ${path} answers ${reply.status} as documented (${label}).`;
    return [id, text, (session: Session) => judge(session, operation)] as const;
  }),
);

async function judge({ answers, client }: Session, operation: Operation): Promise<void> {
  const { id, method, path, params, reply, example } = operation;
  const isSuccess = ({ status }: { status: number }) => status === reply.status || status === reply.otherwise?.status;
  const own = answers.filter((answer) => answer.operation.id === id);
  // Reads that need no id are harmless, and asked for here where no other clause did.
  if (!own.some(isSuccess) && method === 'GET' && params === undefined) {
    own.push(
      await client.call(operation, { ...(example.query && path.match(/analytics|usage/) && { query: example.query }) }),
    );
  }
  for (const answer of own) {
    const faults = schemaFaults(answer);
    if (faults.length > 0)
      throw new Broken('the documented schema', `${faults.slice(0, 3).join('; ')} in ${describeAnswer(answer)}`);
    if (answer.status < 400 && !isSuccess(answer)) throw new Broken(`${reply.status}`, describeAnswer(answer));
  }
  if (own.some(isSuccess)) return;
  const refusal = own.at(-1);
  if (
    operation.label !== 'Coming soon' &&
    method === 'GET' &&
    params === undefined &&
    refusal &&
    refusal.status !== 403
  ) {
    throw new Broken(`${reply.status}`, describeAnswer(refusal));
  }
  if (refusal?.status === 403) throw new NotChecked('the key may not do this: 403');
  throw new NotChecked(
    'not called with what exists here: it would change what is the workspace’s own, or lacks what it needs',
  );
}
