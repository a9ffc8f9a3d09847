import type { Readable } from 'node:stream';
import type { Exchange } from '../../outbound/exchange.ts';
import { readAnswer } from '../read-answer.ts';
import { readArray, readId, readMember, readText } from '../read-json.ts';
import { PlatformRefusal } from '../refusal.ts';
import type { AccountAccess } from '../types.ts';

/** The file that shows the reviewers what the header of a template holds. */
export interface Sample {
  mime: string;
  filename: string;
  size_bytes: number;
  /** Read to its end or destroyed. */
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
 * Uploads a sample (section 4.4) and answers the handle that stands for it in a new template. Throws `PlatformRefusal`.
 * Made twice, it leaves two handles and no harm.
 */
export async function uploadSample(
  send: (request: SampleRequest) => Promise<Exchange>,
  { waba_id, access_token }: AccountAccess,
  { mime, filename, size_bytes, bytes }: Sample,
): Promise<string> {
  async function ask(method: 'GET' | 'POST', path: string, file?: Readable) {
    // Bearer for calls on objects; the upload itself is documented with another word.
    const authorization = `${file ? 'OAuth' : 'Bearer'} ${access_token}`;
    const length = file ? size_bytes : 0;
    const headers = {
      authorization,
      ...(file && { file_offset: '0', 'content-type': 'application/octet-stream', 'content-length': String(length) }),
    };
    return readAnswer(await send({ method, path, headers, body: file ?? null, size_bytes: length }), access_token);
  }

  try {
    // An upload belongs to the app, which the account's own list names.
    const apps = readArray((await ask('GET', `/${encodeURIComponent(waba_id)}/subscribed_apps`)).data);
    const app_id = readId(readMember(readMember(apps[0], 'whatsapp_business_api_data'), 'id'));
    if (app_id === undefined) throw new PlatformRefusal('no app is subscribed to the account');
    const file = new URLSearchParams({ file_name: filename, file_length: String(size_bytes), file_type: mime });
    const session = readText((await ask('POST', `/${encodeURIComponent(app_id)}/uploads?${file}`)).id);
    if (session === undefined) throw new PlatformRefusal('an upload was begun without an id');
    // The id carries its signature as a query.
    const handle = readText((await ask('POST', `/${session}`, bytes)).h);
    if (handle === undefined) throw new PlatformRefusal('an upload ended without a handle');
    return handle;
  } finally {
    bytes.destroy();
  }
}
