import type { CodesByStatus, ErrorCode, ErrorDetail } from './api.generated.ts';

/** Every error of the client. None holds the API key or the body that was sent. */
export class MajlisError extends Error {
  override readonly name: string = 'MajlisError';
}

/** There was no complete answer. A write may have taken effect or not, unless `wasSent` is false. */
export class ConnectionError extends MajlisError {
  override readonly name: string = 'ConnectionError';
  /** False where the connection failed before the request: the service has not seen it. */
  readonly wasSent: boolean;

  constructor(message: string, options: { cause?: unknown; wasSent: boolean }) {
    super(message, { cause: options.cause });
    this.wasSent = options.wasSent;
  }
}

/** An attempt took longer than `timeout_ms`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** The caller's signal ended the request. */
export class AbortedError extends MajlisError {
  override readonly name: string = 'AbortedError';
}

/** The service, or a proxy in front of it, refused the request or failed. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends MajlisError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** The reason. Decide by it. Absent in the answer of a proxy. */
  readonly code: Code | undefined;
  /** The reason of this case, for a person to read. */
  readonly detail: string | undefined;
  /** The members at fault, of a refusal with 422. */
  readonly errors: readonly ErrorDetail[];
  /** The id to give to support, as it stands in the log of the service. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
  /** The least time to wait before the next request, where the service names one. */
  readonly retryAfter_seconds: number | undefined;

  constructor(answer: ErrorAnswer) {
    super(messageOf(answer));
    const { status, headers, body } = answer;
    this.status = status;
    this.headers = headers;
    this.code = textIn(body, 'code') as Code | undefined;
    this.detail = textIn(body, 'detail');
    const errors = (body as { errors?: unknown } | undefined)?.errors;
    this.errors = Array.isArray(errors) ? errors : [];
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter_seconds = retryAfterOf(headers);
  }
}

export class UnauthorizedError extends ApiError<CodesByStatus[401]> {
  override readonly name = 'UnauthorizedError';
}
export class ForbiddenError extends ApiError<CodesByStatus[403]> {
  override readonly name = 'ForbiddenError';
}
export class NotFoundError extends ApiError<CodesByStatus[404]> {
  override readonly name = 'NotFoundError';
}
export class MethodNotAllowedError extends ApiError<CodesByStatus[405]> {
  override readonly name = 'MethodNotAllowedError';
}
export class ConflictError extends ApiError<CodesByStatus[409]> {
  override readonly name = 'ConflictError';
}
/** The events behind the position are no longer all stored: read the state anew, and follow from `latest`. */
export class GoneError extends ApiError<CodesByStatus[410]> {
  override readonly name = 'GoneError';
}
export class ContentTooLargeError extends ApiError<CodesByStatus[413]> {
  override readonly name = 'ContentTooLargeError';
}
export class UnprocessableContentError extends ApiError<CodesByStatus[422]> {
  override readonly name = 'UnprocessableContentError';
}
export class RateLimitedError extends ApiError<CodesByStatus[429]> {
  override readonly name = 'RateLimitedError';
}
export class InternalServerError extends ApiError<CodesByStatus[500]> {
  override readonly name = 'InternalServerError';
}
export class ServiceUnavailableError extends ApiError<CodesByStatus[503]> {
  override readonly name = 'ServiceUnavailableError';
}

const classes: { readonly [Status in keyof CodesByStatus]: new (answer: ErrorAnswer) => ApiError } = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConflictError,
  410: GoneError,
  413: ContentTooLargeError,
  422: UnprocessableContentError,
  429: RateLimitedError,
  500: InternalServerError,
  503: ServiceUnavailableError,
};

export interface ErrorAnswer {
  status: number;
  headers: Headers;
  /** The parsed body. Undefined where it is no JSON. */
  body: unknown;
}

export function createApiError(answer: ErrorAnswer): ApiError {
  return new (classes[answer.status as keyof CodesByStatus] ?? ApiError)(answer);
}

function messageOf({ status, headers, body }: ErrorAnswer): string {
  const title = textIn(body, 'title') ?? textIn(body, 'code') ?? 'The service answered with an error';
  const detail = textIn(body, 'detail');
  const id = headers.get('x-request-id');
  return `${status} ${title}${detail === undefined ? '' : `: ${detail}`}${id === null ? '' : ` (request ${id})`}`;
}

function textIn(body: unknown, member: string): string | undefined {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Seconds, or the date that a proxy may send. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
