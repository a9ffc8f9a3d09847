import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import { nameMisspellings } from './name-misspellings.ts';
import { invalid, Refusal } from './refusal.ts';

/** Translates a thrown error into an answer: a refusal stays, an absent database is 503, a bug is 500. */
export function replyError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(loggedRefusal(error, request), reply);
}

/** The same for the console, which decides by the reasons of faults. */
export function replyConsoleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = loggedRefusal(error, request);
  return sendBody(refusal, refusal.console_body, reply);
}

function loggedRefusal(error: unknown, request: FastifyRequest): Refusal {
  const refusal = nameMisspellings(toRefusal(error, request), request.body);
  if (refusal.code === 'internal_server_error') request.log.error({ err: error }, 'a request failed');
  // While the database is away, each request logs one line. The pool logs the cause.
  else if (refusal.status >= 500) request.log.warn({ reason: String(error) }, 'a request could not be served');
  return refusal;
}

export function sendRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  return sendBody(refusal, refusal.body, reply);
}

function sendBody({ status, extra }: Refusal, body: object, reply: FastifyReply): FastifyReply {
  return reply
    .code(status)
    .headers(extra.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (isFastifyError(error)) {
    if (error.validation) return invalid(pointed(error));
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      const detail = `The body may have at most ${request.routeOptions.bodyLimit} bytes.`;
      return new Refusal('content_too_large', { detail });
    }
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
      const expected = request.routeOptions.config.operation?.body_content_type ?? 'application/json';
      return new Refusal('unprocessable_content', { detail: `The Content-Type must be ${expected}.` });
    }
    if (error.statusCode && error.statusCode < 500) {
      return new Refusal('unprocessable_content', { detail: 'The request could not be read.' });
    }
  }
  if (isDatabaseAway(error)) return new Refusal('service_unavailable', { headers: { 'Retry-After': '1' } });
  return new Refusal('internal_server_error');
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
}

/** Pointers from the root of the body (RFC 6901). A query member's pointer is its name. */
function pointed(error: FastifyError): { detail: string; pointer: string }[] {
  return error.validation!.flatMap(({ keyword, instancePath, message, params }) => {
    const {
      requiredProperties: missing,
      additionalProperties: unknown,
      allowedValues: allowed,
    } = params as Record<string, string[]>;
    if (unknown) return unknown.map((name) => ({ detail: 'is not known', pointer: `${instancePath}/${name}` }));
    // This keyword repeats the fault of each unknown member.
    if (keyword === 'boolean') return [];
    if (missing) return missing.map((name) => ({ detail: 'is required', pointer: `${instancePath}/${name}` }));
    if (allowed) return { detail: `must be one of ${allowed.join(', ')}`, pointer: instancePath };
    return { detail: message ?? 'is invalid', pointer: instancePath };
  });
}
