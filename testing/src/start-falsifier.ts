import { createServer } from 'node:http';
import type { AnyJson } from './json.ts';
import { listen } from './listen.ts';

/** An answer on its way; what is changed here is what the client gets. */
export interface Falsified {
  method: string;
  path: string;
  authorization: string;
  status: number;
  headers: Headers;
  /** Of an answer that is JSON; undefined for any other. */
  body: AnyJson;
  /** Of an answer that is not JSON. */
  bytes: Buffer;
}

/** A request on its way. */
export interface Misled {
  method: string;
  path: string;
  headers: Headers;
  body: AnyJson;
  /** That of the workspace. */
  key: string;
}

interface Falsifier {
  key: string;
  falsify(answer: Falsified): void;
  mislead?(request: Misled): void;
}

/** A deployment that is wrong in one way: the service at `url`, with its answers changed. Ended after the test file. */
export async function startFalsifier(url: string, { key, falsify, mislead }: Falsifier): Promise<string> {
  const server = createServer(async (incoming, response) => {
    const raw = Buffer.concat(await Array.fromAsync(incoming));
    const request = { method: incoming.method!, path: incoming.url!, headers: new Headers(), body: parse(raw), key };
    for (const name of ['authorization', 'content-type', 'idempotency-key']) {
      if (incoming.headers[name]) request.headers.set(name, String(incoming.headers[name]));
    }
    const authorization = request.headers.get('authorization') ?? '';
    mislead?.(request);
    const sent = request.body === undefined ? raw : Buffer.from(JSON.stringify(request.body));
    const { method, path, headers } = request;
    const came = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(sent.length > 0 && { body: new Uint8Array(sent) }),
    });
    const bytes = Buffer.from(await came.arrayBuffer());
    const isJson = came.headers.get('content-type')?.startsWith('application/json');
    const body = isJson ? parse(bytes) : undefined;
    const answer = {
      method,
      path,
      authorization,
      status: came.status,
      headers: new Headers(came.headers),
      body,
      bytes,
    };
    falsify(answer);
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive']) answer.headers.delete(name);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(answer.body === undefined ? answer.bytes : JSON.stringify(answer.body));
  });
  return listen(server);
}

function parse(bytes: Buffer): AnyJson {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
