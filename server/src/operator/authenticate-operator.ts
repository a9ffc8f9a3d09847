import { createBearerCheck } from '../http/check-bearer.ts';
import type { LimitFailures } from '../http/limit-failures.ts';
import { Refusal } from '../http/reply/refusal.ts';

interface Asker {
  ip: string;
  headers: { authorization?: string | undefined };
}

/** Creates the check of the operator's token. An address that sent too many wrong ones waits, so that none can be guessed. */
export function createAuthenticateOperator(operatorToken: string, failures: LimitFailures) {
  const isOperator = createBearerCheck(operatorToken);
  return async ({ ip, headers }: Asker): Promise<void> => {
    const refusal = await failures.peek(ip);
    if (refusal) throw refusal;
    if (isOperator(headers.authorization)) return;
    await failures.count(ip);
    const detail = 'The operator token is missing or wrong.';
    throw new Refusal('unauthorized', { detail, headers: { 'WWW-Authenticate': 'Bearer' } });
  };
}
