import type { Readable } from 'node:stream';
import type { Exchange } from '../../outbound/exchange.ts';
import type { AccountAccess } from '../access.ts';
import { readAnswer } from '../read-answer.ts';
import { readArray, readId, readMember, readText } from '../read-json.ts';
import { PlatformRefusal } from '../refusal.ts';

/** The sample file that reviewers see in a template's header. */
export interface Sample {
  mime: string;
  filename: string;
  size_bytes: number;
  /** The upload consumes or destroys it. */
  bytes: Readable;
}

export interface SampleRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: Readable | null;
  size_bytes: number;
}

/**
 * Uploads a sample (section 4.4) and answers its handle for a new template. Throws `PlatformRefusal`. A repeated upload is
 * harmless.
 */
export async function uploadSample(
  send: (request: SampleRequest) => Promise<Exchange>,
  { waba_id, access_token }: AccountAccess,
  { mime, filename, size_bytes, bytes }: Sample,
): Promise<string> {
  async function ask(method: 'GET' | 'POST', path: string, file?: Readable) {
    // The platform documents Bearer for calls on objects and OAuth for the upload.
    const authorization = `${file ? 'OAuth' : 'Bearer'} ${access_token}`;
    const length = file ? size_bytes : 0;
    const headers = {
      authorization,
      ...(file && { file_offset: '0', 'content-type': 'application/octet-stream', 'content-length': String(length) }),
    };
    return readAnswer(await send({ method, path, headers, body: file ?? null, size_bytes: length }), access_token);
  }

  try {
    // An upload belongs to an app; the account lists its apps.
    const apps = readArray((await ask('GET', `/${encodeURIComponent(waba_id)}/subscribed_apps`)).data);
    const app_id = readId(readMember(readMember(apps[0], 'whatsapp_business_api_data'), 'id'));
    if (app_id === undefined) throw new PlatformRefusal('no app is subscribed to the account');
    const file = new URLSearchParams({ file_name: filename, file_length: String(size_bytes), file_type: mime });
    const session = readText((await ask('POST', `/${encodeURIComponent(app_id)}/uploads?${file}`)).id);
    if (session === undefined) throw new PlatformRefusal('an upload was begun without an id');
    // The session id holds a signature as its query.
    const handle = readText((await ask('POST', `/${session}`, bytes)).h);
    if (handle === undefined) throw new PlatformRefusal('an upload ended without a handle');
    return handle;
  } finally {
    bytes.destroy();
  }
}
