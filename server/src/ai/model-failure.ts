/**
 * A failed model call, with a message of ours. Messages of libraries and servers may quote the request, the address or the
 * key, so they are neither shown nor logged.
 */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly status: number | undefined;
  readonly is_retryable: boolean;

  constructor(
    message: string,
    { status, is_retryable = false }: { status?: number | undefined; is_retryable?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.is_retryable = is_retryable;
  }
}

export function toModelFailure(error: unknown, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return new ModelFailure('the model did not answer in time');
  if (error instanceof ModelFailure) return error;
  const status = statusOf(error);
  if (status === undefined)
    return new ModelFailure('the model could not be reached, or its answer could not be read', { is_retryable: true });
  const isTransient = status === 408 || status === 409 || status === 429 || status >= 500;
  // Some servers refuse a request because of its tools. The next attempt omits them.
  const isRefused = [400, 404, 422].includes(status);
  return new ModelFailure(`the server of the model answered ${status}`, {
    status,
    is_retryable: isTransient || isRefused,
  });
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined;
  // An unreadable response with status 200 has a `statusCode` too.
  return error.statusCode >= 400 ? error.statusCode : undefined;
}
