import type { EventsResource, Resources } from './api.generated.ts';
import { MajlisError } from './errors.ts';
import { EventFeed, type FollowOptions } from './event-feed.ts';
import { methods } from './methods.generated.ts';
import type { MethodEntry } from './methods.ts';
import { ApiPromise, type ClientOptions, type KeyedOptions } from './options.ts';
import { type PageBody, PagePromise } from './page.ts';
import type { Repeats } from './retry.ts';
import { type Connection, type PreparedRequest, sendRequest } from './send-request.ts';
import { formOf, type Upload } from './upload.ts';
import { version } from './version.ts';

/** The members of a query. Those without a value are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A request that no method covers. */
export interface AnyRequest {
  method: string;
  /** Behind the address of the installation: `/v1/…`. */
  path: string;
  query?: Query | undefined;
  body?: unknown;
}

/** The client of one workspace: that of its API key. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor adds the methods of the table.
export class Majlis {
  readonly baseUrl: string;
  // Not a plain member: whoever logs the client must not log the key.
  readonly #connection: Connection;

  constructor(options: ClientOptions = {}) {
    const { dangerouslyAllowBrowser = false, timeout_ms = 60_000, maxRetries = 2, headers } = options;
    if (isPage() && !dangerouslyAllowBrowser) {
      throw new MajlisError(
        'An API key in a page is open to whoever reads the page. Call Majlis from a server, or set dangerouslyAllowBrowser.',
      );
    }
    const apiKey = options.apiKey ?? environment('MAJLIS_KEY');
    const baseUrl = options.baseUrl ?? environment('MAJLIS_URL');
    if (!apiKey) throw new MajlisError('The API key is missing: give apiKey, or set MAJLIS_KEY.');
    // `fetch` would refuse it too, with the key in its message.
    if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new MajlisError('The API key has characters that no key has.');
    if (!baseUrl) throw new MajlisError('The address is missing: give baseUrl, or set MAJLIS_URL.');
    this.baseUrl = readAddress(baseUrl);
    const agent = isPage() ? {} : { 'User-Agent': `majlis-sdk/${version}` };
    this.#connection = {
      // A worker's fetch refuses to be called as a method.
      fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
      headers: { ...agent, ...headers, Authorization: `Bearer ${apiKey}` },
      timeout_ms,
      maxRetries,
    };
    for (const [resource, entries] of Object.entries(methods)) {
      const members: [string, unknown][] = Object.entries(entries).map(([name, entry]) => [
        name,
        this.#methodOf(entry),
      ]);
      if (resource === 'events') members.push(['follow', (follow: FollowOptions) => new EventFeed(this, follow)]);
      Object.defineProperty(this, resource, { value: Object.fromEntries(members), enumerable: true });
    }
  }

  /** Makes a request that no method covers. A POST without an idempotency key is only repeated if it surely did not act. */
  request<T = unknown>({ method, path, query, body }: AnyRequest, options: KeyedOptions = {}): ApiPromise<T> {
    const repeats = method !== 'POST' ? 'always' : options.idempotencyKey === undefined ? 'refused' : 'keyed';
    const content = body === undefined ? undefined : JSON.stringify(body);
    return new ApiPromise(this.#send<T>({ method, url: this.#urlOf(path, query), body: content, repeats }, options));
  }

  #methodOf(entry: MethodEntry) {
    return (...given: unknown[]) => {
      const { path, rest } = fillPath(entry.path, given);
      const input = entry.takes === undefined ? undefined : rest.shift();
      const options = (rest.shift() ?? {}) as KeyedOptions;
      const { method, gives, repeats = 'always' } = entry;
      if (gives === 'page') return this.#readPage(path, input as Query | undefined, options);
      return new ApiPromise(
        this.#send<unknown>(
          {
            method,
            url: this.#urlOf(path, entry.takes === 'query' ? (input as Query) : undefined),
            body: bodyOf(entry, input),
            repeats,
            raw: gives === 'bytes',
          },
          options,
        ),
      );
    };
  }

  #readPage(path: string, query: Query | undefined, options: KeyedOptions): PagePromise<unknown> {
    const request = { method: 'GET', url: this.#urlOf(path, query), repeats: 'always' as Repeats };
    return new PagePromise(this.#send<PageBody<unknown>>(request, options), (cursor) =>
      this.#readPage(path, { ...query, cursor }, options),
    );
  }

  #send<T>(request: PreparedRequest, options: KeyedOptions) {
    return sendRequest(this.#connection, request, options) as Promise<{
      data: T;
      response: Response;
      requestId: string | undefined;
    }>;
  }

  #urlOf(path: string, query: Query = {}): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) search.set(name, String(value));
    }
    const text = search.toString();
    return `${this.baseUrl}${path}${text === '' ? '' : `?${text}`}`;
  }
}

/** The operations, by resource. */
export interface Majlis extends Omit<Resources, 'events'> {
  readonly events: EventsResource & {
    /** The events of the workspace as they happen, each at least once, from a position that outlives restarts. */
    follow(options?: FollowOptions): EventFeed;
  };
}

function fillPath(template: string, given: readonly unknown[]): { path: string; rest: unknown[] } {
  const rest = [...given];
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = rest.shift();
    // An empty id would turn the path of one object into that of the list.
    if (typeof id !== 'string' || id === '') throw new TypeError(`${name} must be a string that is not empty.`);
    // Every reader of addresses resolves these parts, percent-encoded or not.
    if (id === '.' || id === '..') throw new TypeError(`${name} must not be "${id}".`);
    return encodeURIComponent(id);
  });
  return { path, rest };
}

function bodyOf({ takes }: MethodEntry, input: unknown): string | FormData | undefined {
  if (takes === 'file') return formOf(input as Upload);
  if (takes === 'body') return JSON.stringify(input ?? {});
  return undefined;
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new MajlisError('baseUrl must be an address that begins with http:// or https://.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function isPage(): boolean {
  const { document, window } = globalThis as { document?: unknown; window?: unknown };
  return document !== undefined && window !== undefined;
}

function environment(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
}
