import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './cleanup.ts';

/** One send that arrived at the platform and is not answered yet. */
export interface SendCall {
  phone_number_id: string;
  access_token: string;
  body: { to?: string; biz_opaque_callback_data: string; [member: string]: unknown };
  /** Our message id. Every status of the message carries it. */
  callback_data: string;
  response: ServerResponse;
}

/** Any other request: `GET /<id>/<edge>?<query>`. */
export interface PlatformRequest {
  method: string;
  id: string;
  edge: string | undefined;
  query: URLSearchParams;
  bytes: Buffer;
}

export type PlatformAnswer = [status: number, body: object | Buffer | string];

export interface ScriptedPlatform {
  api_url: string;
  /** Every send that arrived, answered or not, in order. */
  calls: SendCall[];
  /** The platform's ids of the sends whose script returned one, by our message id. */
  wamids: Map<string, string>;
  /** Every request, as `GET /<id>/<edge>?<query>`. */
  requests: string[];
  /** Answers sends from now on. A send that the script leaves open hangs. At first every send is accepted. */
  script(play: (call: SendCall) => unknown): void;
  /** From now on connections are refused. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/**
 * A platform for faults that the simulator does not offer: the test decides the answer of each send. Other requests (numbers,
 * templates) get 503 unless `answerOther` serves them; the service repeats them later.
 */
export async function startScriptedPlatform(
  answerOther: (request: PlatformRequest) => PlatformAnswer = () => [503, ''],
): Promise<ScriptedPlatform> {
  let play: (call: SendCall) => unknown = (call) => acceptSend(call);
  let port = 0;
  let server: Server | undefined;

  const platform: ScriptedPlatform = {
    api_url: '',
    calls: [],
    wamids: new Map(),
    requests: [],
    script(next) {
      play = next;
    },
    async down() {
      const stopped = server;
      server = undefined;
      stopped?.closeAllConnections();
      await new Promise((resolve) => (stopped ? stopped.close(resolve) : resolve(undefined)));
    },
    async up() {
      server = createServer((request, response) => void answer(request, response));
      await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
      platform.api_url = `http://127.0.0.1:${port}/v24.0`;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.replace('/v24.0', '');
    platform.requests.push(`${request.method} ${path}`);
    const { pathname, searchParams: query } = new URL(path, 'http://platform');
    const [, id = '', edge] = pathname.split('/');
    const bytes = Buffer.concat(await Array.fromAsync(request));
    const isSend = request.method === 'POST' && edge === 'messages';
    if (!isSend) return reply(response, ...answerOther({ method: request.method!, id, edge, query, bytes }));
    const body = JSON.parse(bytes.toString());
    const access_token = request.headers.authorization!.slice('Bearer '.length);
    const callback_data = body.biz_opaque_callback_data;
    const call = { phone_number_id: id, access_token, body, callback_data, response };
    platform.calls.push(call);
    const wamid = await play(call);
    if (typeof wamid === 'string') platform.wamids.set(callback_data, wamid);
  }

  await platform.up();
  cleanUp('the platform', () => platform.down());
  return platform;
}

/** Accepts the message and returns its id. */
export function acceptSend({ body, response }: SendCall, wamid = `wamid.${randomUUID()}`): string {
  const wa_id = String(body.to ?? '').replace('+', '');
  const contacts = [{ input: body.to, wa_id }];
  reply(response, 200, { messaging_product: 'whatsapp', contacts, messages: [{ id: wamid }] });
  return wamid;
}

/** Refuses the message with a code of the platform's table of errors. */
export function rejectSend({ response }: SendCall, code: number, status = 400): void {
  reply(response, status, {
    error: { message: `(#${code}) Scripted refusal`, type: 'OAuthException', code, fbtrace_id: 'A' },
  });
}

/** Answers as the platform's front end does, for example 502: the outcome of the send is unknown. */
export function failSend({ response }: SendCall, status: number): void {
  reply(response, status, '<html>Bad Gateway</html>');
}

/** Resets the connection without an answer. */
export function cutConnection({ response }: SendCall): void {
  response.socket?.resetAndDestroy();
}

function reply(response: ServerResponse, status: number, body: PlatformAnswer[1]): void {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const type = isJson ? 'application/json' : 'text/html';
  response.writeHead(status, { 'content-type': type }).end(isJson ? JSON.stringify(body) : body);
}
