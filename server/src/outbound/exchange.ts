import type { Dispatcher } from 'undici';

/** The outcome of one request by its progress. `limit` names the limit of ours that ended it. */
export type Exchange =
  | { type: 'answered'; status: number; body: Buffer }
  /** The head of the answer arrived, but not the whole body. */
  | { type: 'cut_short'; status: number; reason: string; limit?: Limit }
  /** The request was written at least in part, and no answer arrived. */
  | { type: 'no_answer'; reason: string; limit?: Limit }
  | { type: 'not_written'; reason: string; limit?: Limit };

export type Limit = 'time' | 'length';

export interface ExchangeLimits {
  /** From this call to the last byte of the answer, including the wait for a connection. */
  timeout_ms: number;
  max_answer_bytes: number;
}

/**
 * Performs one request, written at most once. The dispatcher reports the start of the write (`onRequestStart`). Any failure
 * before that proves that nothing was sent, so error codes need no interpretation (hazard H2).
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const handler = new OneExchange(limits, resolve);
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.fail(reasonOf(error));
    }
  });
}

class OneExchange implements Dispatcher.DispatchHandler {
  #resolve: (exchange: Exchange) => void;
  #limits: ExchangeLimits;
  #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #informational = 0;
  #settled = false;

  constructor(limits: ExchangeLimits, resolve: (exchange: Exchange) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#deadline = setTimeout(
      () => this.#stop('time', `no answer within ${limits.timeout_ms} ms`),
      limits.timeout_ms,
    );
  }

  /**
   * Throwing here prevents the write and keeps the connection usable. It stops a request whose deadline passed during the wait
   * for a connection, and any second write of the same request.
   */
  onRequestStart(controller: Dispatcher.DispatchController) {
    if (this.#settled) throw new Error('the deadline passed before the request was written');
    if (this.#controller) throw new Error('a request is written only once');
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number) {
    if (status >= 200) this.#status = status;
    else if (++this.#informational > maxInformational) this.#stop('length', 'too many informational answers');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer) {
    this.#length += chunk.length;
    if (this.#length > this.#limits.max_answer_bytes)
      this.#stop('length', `answer longer than ${this.#limits.max_answer_bytes} bytes`);
    else this.#chunks.push(chunk);
  }

  onResponseEnd() {
    if (this.#status === undefined) this.fail('answer without a status');
    else this.#settle({ type: 'answered', status: this.#status, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error) {
    this.fail(reasonOf(error));
  }

  fail(reason: string, limit?: Limit) {
    const cause = { reason, ...(limit && { limit }) };
    if (!this.#controller) this.#settle({ type: 'not_written', ...cause });
    else if (this.#status === undefined) this.#settle({ type: 'no_answer', ...cause });
    else this.#settle({ type: 'cut_short', status: this.#status, ...cause });
  }

  #stop(limit: Limit, reason: string) {
    this.fail(reason, limit);
    this.#controller?.abort(new Error(reason));
  }

  #settle(result: Exchange) {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#chunks = result.type === 'answered' ? this.#chunks : [];
    this.#resolve(result);
  }
}

// Servers send one or two 103 responses before an answer. An endless stream of them is no answer.
const maxInformational = 16;

/** The error's code alone: messages of libraries may quote the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
