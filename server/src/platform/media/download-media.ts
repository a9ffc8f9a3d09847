import { type Dispatcher, request } from 'undici';
import { PlatformRefusal } from '../refusal.ts';

export interface DownloadOptions {
  access_token: string;
  /** Whether this host may receive the request and the token. */
  trusted: (host: string) => boolean;
  protocols: readonly string[];
  timeout_ms: number;
  most_bytes: number;
}

const mostRedirects = 3;

/**
 * Downloads a file from an address of the platform. The address and every redirect must be on a trusted host, or a forged
 * notification could choose the target. Errors omit the address, because it opens the file.
 */
export async function* downloadFrom(
  dispatcher: Dispatcher,
  url: string,
  { access_token, trusted, protocols, timeout_ms, most_bytes }: DownloadOptions,
): AsyncGenerator<Buffer> {
  const signal = AbortSignal.timeout(timeout_ms);
  let address = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const target = URL.parse(address);
    if (!target || !protocols.includes(target.protocol) || !trusted(target.hostname)) {
      throw new PlatformRefusal(`a file lies on ${target?.host ?? 'no address'}, which is not a host of the platform`);
    }
    // undici follows no redirect by itself, so the token reaches this host only.
    const { statusCode, headers, body } = await ask(dispatcher, target, access_token, signal);
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump().catch(() => {});
      address = URL.parse(location, target.href)?.href ?? '';
      continue;
    }
    if (statusCode !== 200) {
      await body.dump().catch(() => {});
      throw new PlatformRefusal(`HTTP ${statusCode} for a file`);
    }
    yield* atMost(body as AsyncIterable<Buffer>, most_bytes);
    return;
  }
  throw new PlatformRefusal('a file is redirected again and again');
}

async function ask(dispatcher: Dispatcher, target: URL, access_token: string, signal: AbortSignal) {
  // Without a user agent the platform answers with HTML.
  const headers = { authorization: `Bearer ${access_token}`, 'user-agent': 'majlis', accept: '*/*' };
  try {
    return await request(target, { dispatcher, headers, signal, headersTimeout: 30_000, bodyTimeout: 30_000 });
  } catch (error) {
    throw new PlatformRefusal(reasonOf(error));
  }
}

async function* atMost(body: AsyncIterable<Buffer>, most_bytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > most_bytes) throw new PlatformRefusal(`a file has more than ${most_bytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof PlatformRefusal) throw error;
    throw new PlatformRefusal(`a file broke off: ${reasonOf(error)}`);
  }
}

/** The error's code: its message may quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
