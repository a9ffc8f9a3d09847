import { setTimeout as pause } from 'node:timers/promises';
import { within } from '@majlis/testing/cleanup';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { createFaultWorkspace } from '@majlis/testing/faults/fault-workspace';
import { type OpenStream, openStream } from '@majlis/testing/open-stream';
import { callOperator, requestOperator } from '@majlis/testing/operator';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import type { ProofRun } from '../section.ts';

const streamsOfPerson = 20;
const streamsInAll = { quick: 200, full: 1_000 };
const notes = 20;
// A thousand streams return over 30 seconds on two quiet cores.
const mostReturnMs = 120_000;

interface Console {
  person: Member;
  stream: OpenStream;
  told: Set<string>;
}

/**
 * As many consoles as an installation has lose the service by `kill -9` and return as the stream told them to. Each gets every
 * change of before, between and after, and SIGTERM ends the process with all of them open.
 */
export async function proveStorm({ seed, quick, log }: ProofRun): Promise<string[]> {
  const environment = await createFaultEnvironment({ seed });
  const majlis = await environment.majlis();
  await majlis.start();
  const { url } = majlis;
  const { name } = await createFaultWorkspace(environment, url, { customers: 2 });
  const applied = await callOperator(url, 'PUT', '/workspaces', { workspace: { name, country: 'OM' } });
  const operator = (method: string, path: string, body?: unknown) => requestOperator(url, method, path, body);
  const workspace = { id: applied.workspace.id, applied };
  const members: Member[] = [];
  const count = streamsInAll[quick ? 'quick' : 'full'];
  while (members.length * streamsOfPerson < count) {
    members.push(await joinWorkspace({ url, operator }, workspace, { role: 'agent' }));
  }
  const consoles = await Promise.all(
    Array.from({ length: count }, async (_, n): Promise<Console> => {
      const person = members[n % members.length]!;
      const told = new Set<string>();
      return {
        person,
        told,
        stream: await openStream({ url }, person, undefined, ({ message_id }) => told.add(message_id)),
      };
    }),
  );
  const conversations = await members[0]!.at('GET', '/conversations');
  const at = `/conversations/${conversations.body.data[0].id}/notes`;
  const written: string[] = [];
  const write = async () => {
    for (let n = 0; n < notes; n++) written.push((await members[0]!.at('POST', at, { body: `Note ${n}` })).body.id);
  };
  await write();
  await majlis.kill();
  const ends = Promise.all(consoles.map(({ stream }) => stream.ended));
  await within(ends, 30_000, 'the end of all streams after kill -9');
  await majlis.start();
  const from = performance.now();
  await write();
  // As an event source does.
  await Promise.all(consoles.map((one) => comeBack(url, one)));
  const returned_ms = performance.now() - from;
  await write();
  const faults: string[] = [];
  for (const [n, { told, stream }] of consoles.entries()) {
    const missing = () => written.filter((id) => !told.has(id));
    for (let tries = 0; missing().length > 0 && tries < 300; tries++) await pause(100);
    if (missing().length > 0) faults.push(`console ${n} misses ${missing().length} of ${written.length} notes`);
    if (stream.events.some(({ kind }) => kind === 'reset')) faults.push(`console ${n} was reset`);
  }
  majlis.signal('SIGTERM');
  const { code, after_ms } = await majlis.ended();
  if (code !== 0 || after_ms > 15_000) faults.push(`SIGTERM ended the process with ${code} after ${after_ms} ms`);
  // The last bytes of a stream may be read after the end of the process is known.
  const last = Promise.all(consoles.map(({ stream }) => stream.ended));
  await within(last, 30_000, 'the end of all streams after SIGTERM');
  const notTold = consoles.filter(({ stream }) => stream.events.at(-1).kind !== 'ended').length;
  if (notTold > 0) faults.push(`${notTold} consoles were not told of the end`);
  log(
    `${count} consoles returned within ${(returned_ms / 1000).toFixed(1)} s after kill -9, ${written.length} notes each; ` +
      `SIGTERM took ${(after_ms / 1000).toFixed(1)} s`,
  );
  return faults;
}

async function comeBack(url: string, one: Console): Promise<void> {
  let refusal: unknown;
  for (const end = performance.now() + mostReturnMs; performance.now() < end; ) {
    await pause(one.stream.retryMs()!);
    const opened = await openStream({ url }, one.person, one.stream.id(), ({ message_id }) =>
      one.told.add(message_id),
    ).catch((error: unknown) => {
      refusal = error;
    });
    if (!opened) continue;
    one.stream = opened;
    return;
  }
  throw new Error(`a console did not return within ${mostReturnMs} ms`, { cause: refusal });
}
