import type { ErrorBody } from '@majlis/contract';
import type { FastifyInstance } from 'fastify';
import { type PerformOperation, pathOfCall, RefusedCall } from './perform-operation.ts';

/** Performs operations as requests inside this process, without a connection. */
export function performInside(app: FastifyInstance, authorization: string, address: string): PerformOperation {
  return async (operation, call) => {
    const { body, idempotency_key } = call;
    const response = await app.inject({
      method: operation.method,
      url: pathOfCall(operation, call),
      remoteAddress: address,
      headers: { authorization, ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }) },
      ...(body !== undefined && { payload: body as object }),
    });
    const answer: unknown = response.payload === '' ? undefined : JSON.parse(response.payload);
    if (response.statusCode < 400) return answer;
    const { code, title, detail = title, errors } = answer as ErrorBody;
    const after = response.headers['retry-after'];
    throw new RefusedCall({
      code,
      detail,
      errors,
      retry_after_seconds: after === undefined ? undefined : Number(after),
    });
  };
}
