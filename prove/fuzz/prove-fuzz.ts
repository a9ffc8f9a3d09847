import { type Operation, operations } from '@majlis/contract';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import fc from 'fast-check';
import type { ProofRun } from '../section.ts';
import { type AnyRequest, anyRequest } from './any-request.ts';
import { findAnswerFault } from './find-answer-fault.ts';
import { createFuzzedWorkspace } from './fuzzed-workspace.ts';
import { readKnownValues } from './known-values.ts';

const connections = 16;
const batch = 500;
const mostFaults = 20;
const mostAnswerMs = 60_000;

/**
 * Requests made from the contract's own table, against the real service: no answer is a 5xx, none has a status that is
 * not documented, none breaks its schema. Answers what went against that, in words; the same seed makes the same
 * requests.
 */
export async function proveFuzz({ seed, count, log }: ProofRun): Promise<string[]> {
  const environment = await createFaultEnvironment({ seed });
  const { url, start } = await environment.majlis();
  await start();
  const { key, api } = await createFuzzedWorkspace(url);
  const requests = anyRequest(Object.values(operations) as Operation[], await readKnownValues(api));
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  for (let done = 0; done < count && faults.length < mostFaults; done += batch) {
    const waiting = fc.sample(requests, { numRuns: Math.min(batch, count - done), seed: seed + done });
    const work = async () => {
      for (let request = waiting.pop(); request; request = waiting.pop()) {
        const fault = await ask(url, key, request, statuses);
        if (fault) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: connections }, work));
  }
  log(
    `answers by status: ${[...statuses]
      .sort()
      .map(([status, n]) => `${status} × ${n}`)
      .join(', ')}`,
  );
  return faults;
}

async function ask(
  url: string,
  key: string,
  { operation, url: path, headers, body }: AnyRequest,
  statuses: Map<string, number>,
): Promise<string | undefined> {
  const title = `${operation.id}: ${operation.method} ${path.slice(0, 300)} ${body?.slice(0, 500) ?? ''}`;
  try {
    const response = await fetch(url + path, {
      method: operation.method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(mostAnswerMs),
    });
    const text = await response.text();
    statuses.set(String(response.status), (statuses.get(String(response.status)) ?? 0) + 1);
    const fault = findAnswerFault(operation, { status: response.status, headers: response.headers, text });
    return fault && `${title}\n    ${fault}`;
  } catch (error) {
    return `${title}\n    has no answer: ${String(error)}`;
  }
}
