import type { AnyJson } from './json.ts';
/** An HTTP answer. */
export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined for other content. */
  body: AnyJson;
  text: string;
}

export interface Api {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** A client of the API; `path` is below `/v1`. Texts and bytes are sent unchanged, other bodies as JSON. */
export function createApi(url: string, key: string): Api {
  async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      text,
    };
  }
  return {
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
  };
}
