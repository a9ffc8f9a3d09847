/** The options of the client. */
export interface ClientOptions {
  /** The API key. By default `MAJLIS_KEY` of the environment. */
  apiKey?: string | undefined;
  /** The address of the installation, without `/v1`. By default `MAJLIS_URL` of the environment. */
  baseUrl?: string | undefined;
  /** The longest time of one attempt, from the connection to the end of the answer. 60,000 by default. */
  timeout_ms?: number | undefined;
  /** How often a failed request is tried again. 2 by default. */
  maxRetries?: number | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** In the place of the runtime's own `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** An API key in a page is open to whoever reads the page. Only for pages that nobody else gets. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** The options of one request. They take precedence over those of the client. */
export interface RequestOptions {
  /** Ends the request, its retries and its waits. */
  signal?: AbortSignal | undefined;
  timeout_ms?: number | undefined;
  maxRetries?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a write that acts once for a key. */
export interface KeyedOptions extends RequestOptions {
  /** By default a random key of this call, which all its attempts share. Give your own to repeat the call after a crash. */
  idempotencyKey?: string | undefined;
}

/** A result with the answer that brought it. */
export interface WithResponse<T> {
  data: T;
  /** Its body is read, except for a download. */
  response: Response;
  /** The id to give to support, as it stands in the log of the service. */
  requestId: string | undefined;
}

/** A promise of the result, with the way to the headers of its answer. The request is under way already. */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  readonly #answer: Promise<WithResponse<T>>;

  constructor(answer: Promise<WithResponse<T>>) {
    this.#answer = answer;
  }

  /** The result together with the response: its headers hold the rate limits. */
  withResponse(): Promise<WithResponse<T>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(done, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, failed);
  }

  finally(ended?: (() => void) | null): Promise<T> {
    return this.then().finally(ended);
  }
}
