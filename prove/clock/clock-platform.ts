import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { samples } from '@majlis/testing/media';
import { acceptSend, type SendCall } from '@majlis/testing/scripted-platform';

/** A platform that does what it is told, sends and everything else. */
export interface Platform {
  api_url: string;
  /** Every send that arrived, in order. */
  calls: SendCall[];
  /** Its names of the messages that it took, by ours. */
  wamids: Map<string, string>;
  /** Answers sends from now on, with its name of the message where it takes it. At first every send is accepted. */
  script(play: (call: SendCall) => unknown): void;
  /** Everything that it was asked for, as `GET /<id>/<what>?<query>`. */
  requests: string[];
  /** The templates that it lists. */
  listed: ListedTemplate[];
  /** What it does not do for now: give the files of customers, and delete templates. */
  refuses: { files: boolean; deletions: boolean };
}

export interface ListedTemplate {
  id: string;
  waba_id: string;
  name: string;
}

export async function startPlatform(): Promise<Platform> {
  let play: (call: SendCall) => unknown = (call) => acceptSend(call);
  const platform: Platform = {
    api_url: '',
    calls: [],
    wamids: new Map(),
    script(next) {
      play = next;
    },
    requests: [],
    listed: [],
    refuses: { files: false, deletions: false },
  };
  const server = createServer((request, response) => void take(request, response));

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = request.url!.replace('/v24.0', '');
    platform.requests.push(`${request.method} ${place}`);
    const bytes = Buffer.concat(await Array.fromAsync(request));
    const [, id = '', what] = place.split(/[/?]/);
    if (`${request.method} ${what}` === 'POST messages') return carry(id, request, bytes, response);
    if (what === 'bytes') return void response.end(samples.png);
    const [status, body] =
      what === 'message_templates' ? keep(id, request, bytes) : answer(`${request.method} ${what}`, id);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async function carry(phone_number_id: string, request: IncomingMessage, bytes: Buffer, response: ServerResponse) {
    const body = JSON.parse(bytes.toString());
    const access_token = request.headers.authorization!.slice('Bearer '.length);
    const call = { phone_number_id, access_token, body, callback_data: body.biz_opaque_callback_data, response };
    platform.calls.push(call);
    const wamid = await play(call);
    if (typeof wamid === 'string') platform.wamids.set(call.callback_data, wamid);
  }

  function keep(waba_id: string, { method, url }: IncomingMessage, bytes: Buffer): Answer {
    if (method === 'POST') {
      const id = String(platform.requests.length);
      const template = { ...JSON.parse(bytes.toString()), id, waba_id, status: 'APPROVED' };
      platform.listed.push(template);
      return [200, template];
    }
    if (method === 'GET') return [200, { data: platform.listed.filter((one) => one.waba_id === waba_id) }];
    if (platform.refuses.deletions) return [400, { error: { code: 100 } }];
    const id = new URL(url!, platform.api_url).searchParams.get('hsm_id');
    platform.listed = platform.listed.filter((template) => template.id !== id);
    return [200, { success: true }];
  }

  function answer(what: string, id: string): Answer {
    if (what === 'POST media') return [200, { id: randomUUID() }];
    // A number, which has nothing to report, or the file of a customer.
    return platform.refuses.files && id.startsWith('file-') ? [503, {}] : [200, { url: urlOf(id) }];
  }
  const urlOf = (id: string) => `${platform.api_url}/${id}/bytes`;

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  platform.api_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v24.0`;
  after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return platform;
}

type Answer = [status: number, body: object];
