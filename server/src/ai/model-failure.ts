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
  const { statusCode, responseBody, type } = fieldsOf(error);
  // An unreadable response with status 200 has a `statusCode` too.
  if (typeof statusCode === 'number' && statusCode >= 400) {
    const isTransient = statusCode === 408 || statusCode === 409 || statusCode === 429 || statusCode >= 500;
    // Some servers refuse a request because of its tools. The next attempt omits them.
    const isRefused = [400, 404, 422].includes(statusCode);
    return new ModelFailure(
      `the server of the model answered ${statusCode}${inBrackets(typeIn(responseBody) ?? type)}`,
      {
        status: statusCode,
        is_retryable: isTransient || isRefused,
      },
    );
  }
  return new ModelFailure(describeUnanswered(error), { is_retryable: true });
}

function describeUnanswered(error: unknown): string {
  const { name, statusCode, type } = fieldsOf(error);
  if (name === 'AI_APICallError' && statusCode === undefined) {
    return `the server of the model could not be reached${inBrackets(networkCode(error))}`;
  }
  // The server began an answer with status 200 and put an error in it.
  if (name === 'AI_StreamProviderError') {
    return `the server of the model answered an error${inBrackets(type)}`;
  }
  return 'the answer of the model could not be read';
}

/** The type of the error, where servers of the protocol put it. */
function typeIn(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    const answer = fieldsOf(JSON.parse(body));
    return fieldsOf(answer.error).type ?? answer.type;
  } catch {
    return undefined;
  }
}

function networkCode(error: unknown): unknown {
  for (let depth = 0, at = fieldsOf(error); depth < 4; depth++, at = fieldsOf(at.cause)) if (at.code) return at.code;
  return undefined;
}

/** Shows identifiers alone. Without digits and spaces, a type is neither a key nor a quotation of the request. */
function inBrackets(identifier: unknown): string {
  return typeof identifier === 'string' && /^[A-Za-z_]{1,60}$/.test(identifier) ? ` (${identifier})` : '';
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
