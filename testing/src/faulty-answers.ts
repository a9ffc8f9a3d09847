import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from './listen.ts';

/**
 * What befalls one request. Before the effect: the service does not see it. After: it has answered, and the client does not get
 * the answer.
 */
export type Fault =
  | { kind: 'reset_before' | 'reset_after' | 'cut_body' | 'hang_after' }
  | { kind: 'answer_before' | 'answer_after'; status: number; headers?: Record<string, string>; body?: string };

export interface FaultyAnswers {
  url: string;
  /** The requests as they came, also those that the service did not see. */
  requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  /** The faults of the next requests, one each. Later requests pass. */
  fail(...faults: Fault[]): void;
}

/** A proxy in front of a service that spoils some of the answers. It ends after the test file. */
export async function startFaultyAnswers(target: string): Promise<FaultyAnswers> {
  const planned: Fault[] = [];
  const requests: FaultyAnswers['requests'] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers });
    const fault = planned.shift();
    const body = Buffer.concat(await Array.fromAsync(request));
    if (fault?.kind === 'reset_before') return void request.socket.resetAndDestroy();
    if (fault?.kind === 'answer_before') return answer(response, fault);
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...passed } = headers;
    const answered = await fetch(`${target}${url}`, {
      method,
      headers: passed as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const bytes = Buffer.from(await answered.arrayBuffer());
    if (fault?.kind === 'reset_after') return void request.socket.resetAndDestroy();
    if (fault?.kind === 'answer_after') return answer(response, fault);
    if (fault?.kind === 'hang_after') return;
    const { 'content-encoding': _____, 'transfer-encoding': ______, ...kept } = Object.fromEntries(answered.headers);
    response.writeHead(answered.status, { ...kept, ...(bytes.length > 0 && { 'content-length': bytes.length }) });
    if (fault?.kind !== 'cut_body') return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2));
    await pause(50);
    request.socket.resetAndDestroy();
  });
  const url = await listen(server);
  return { url, requests, fail: (...faults) => void planned.push(...faults) };
}

function answer(response: ServerResponse, fault: Extract<Fault, { status: number }>): void {
  response.writeHead(fault.status, fault.headers).end(fault.body ?? '<html>Bad gateway</html>');
}
