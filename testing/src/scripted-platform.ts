import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** One send as it arrived at the platform, and the answer that is still to be given. */
export interface SendCall {
  phone_number_id: string;
  access_token: string;
  body: { to?: string; biz_opaque_callback_data: string; [member: string]: unknown };
  /** Our message id, as every status of it carries it back. */
  callback_data: string;
  response: ServerResponse;
}

export interface ScriptedPlatform {
  api_url: string;
  /** Every send that arrived, answered or not, in order. */
  calls: SendCall[];
  /** Answers sends from now on; what it leaves open hangs. At first every send is accepted. */
  script(play: (call: SendCall) => unknown): void;
  /** From now on connections are refused. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** A platform for faults that the simulator cannot stage to the letter: each test says how sends are answered. */
export async function startScriptedPlatform(): Promise<ScriptedPlatform> {
  let play: (call: SendCall) => unknown = (call) => acceptSend(call);
  let port = 0;
  let server: Server | undefined;

  const platform: ScriptedPlatform = {
    api_url: '',
    calls: [],
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
      server = createServer((request, response) => void take(request, response));
      await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
      platform.api_url = `http://127.0.0.1:${port}/v24.0`;
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , phone_number_id = '', what] = request.url!.split(/[/?]/);
    // Only sends are scripted. What else is asked for (numbers, templates) is asked again later.
    if (request.method !== 'POST' || what !== 'messages') return void reply(response, 503, '');
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    const access_token = request.headers.authorization!.slice('Bearer '.length);
    const call = { phone_number_id, access_token, body, callback_data: body.biz_opaque_callback_data, response };
    platform.calls.push(call);
    await play(call);
  }

  await platform.up();
  after(() => platform.down());
  return platform;
}

/** Takes the message; answers its id. */
export function acceptSend({ body, response }: SendCall, wamid = `wamid.${randomUUID()}`): string {
  const wa_id = String(body.to ?? '').replace('+', '');
  const contacts = [{ input: body.to, wa_id }];
  reply(response, 200, JSON.stringify({ messaging_product: 'whatsapp', contacts, messages: [{ id: wamid }] }));
  return wamid;
}

/** Says no before acceptance, with a code of the platform's table. */
export function refuseSend({ response }: SendCall, code: number, status = 400): void {
  const error = { message: `(#${code}) Scripted refusal`, type: 'OAuthException', code, fbtrace_id: 'A' };
  reply(response, status, JSON.stringify({ error }));
}

/** An answer of the front end that says nothing of the message: 502 and the like. */
export function failSend({ response }: SendCall, status: number): void {
  reply(response, status, '<html>Bad Gateway</html>');
}

/** Cuts the connection without an answer. */
export function cutConnection({ response }: SendCall): void {
  response.socket?.resetAndDestroy();
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body);
}
