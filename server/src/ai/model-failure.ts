/**
 * Why a model gave no answer, in words of ours: what libraries and servers say may quote the request, the address or the
 * key, and is neither shown nor logged.
 */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly status: number | undefined;
  readonly is_worth_a_try: boolean;

  constructor(message: string, { status, again = false }: { status?: number | undefined; again?: boolean } = {}) {
    super(message);
    this.status = status;
    this.is_worth_a_try = again;
  }
}

export function readFailure(error: unknown, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return new ModelFailure('the model did not answer in time');
  if (error instanceof ModelFailure) return error;
  const status = statusOf(error);
  if (status === undefined)
    return new ModelFailure('the model could not be reached, or its answer not be read', { again: true });
  const isPassing = status === 408 || status === 409 || status === 429 || status >= 500;
  // Some servers refuse a request for its tools alone, which the next try leaves out.
  const isRefused = [400, 404, 422].includes(status);
  return new ModelFailure(`the server of the model answered ${status}`, { status, again: isPassing || isRefused });
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined;
  // An answer of 200 that cannot be read carries its status too.
  return error.statusCode >= 400 ? error.statusCode : undefined;
}
