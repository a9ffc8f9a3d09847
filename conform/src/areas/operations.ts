import { type Operation, operations as table } from '@majlis/contract';
import { describeResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { findResponseFaults } from '../find-schema-faults.ts';
import type { Session } from '../session.ts';
import { Broken, NotChecked } from '../verdict.ts';

/** One clause for each operation: all its responses in this run follow the documented schema. */
export const operationsArea = defineArea(
  'operations',
  Object.values<Operation>(table).map((operation) => {
    const { id, method, path, reply, label } = operation;
    const text = `${method} ${path} answers ${reply.status} as documented (${label}).`;
    return [id, text, (session: Session) => checkOperation(session, operation)] as const;
  }),
);

async function checkOperation({ answers, client }: Session, operation: Operation): Promise<void> {
  const { id, method, path, params, reply, example } = operation;
  const isSuccess = ({ status }: { status: number }) => status === reply.status || status === reply.otherwise?.status;
  const own = answers.filter((answer) => answer.operation.id === id);
  // Reads without an id have no effect: call them here if no other clause did.
  if (!own.some(isSuccess) && method === 'GET' && params === undefined) {
    own.push(
      await client.call(operation, { ...(example.query && path.match(/analytics|usage/) && { query: example.query }) }),
    );
  }
  for (const answer of own) {
    const faults = findResponseFaults(answer);
    if (faults.length > 0)
      throw new Broken('the documented schema', `${faults.slice(0, 3).join('; ')} in ${describeResponse(answer)}`);
    if (answer.status < 400 && !isSuccess(answer)) throw new Broken(`${reply.status}`, describeResponse(answer));
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
    throw new Broken(`${reply.status}`, describeResponse(refusal));
  }
  if (refusal?.status === 403) throw new NotChecked('the key may not do this: 403');
  throw new NotChecked(
    'not called with existing data: it would change data of the workspace, or needs data that is missing',
  );
}
