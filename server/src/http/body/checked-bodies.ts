import type { TLocalizedValidationError } from 'typebox/error';

/** The result of a check that was made before validation. */
export interface BodyVerdict {
  errors: TLocalizedValidationError[];
  fingerprint?: Buffer | undefined;
}

const verdicts = new WeakMap<object, BodyVerdict>();

export function setVerdict(body: object, verdict: BodyVerdict): object {
  verdicts.set(body, verdict);
  return body;
}

/** Undefined for a body that was not checked yet. */
export function verdictOn(body: unknown): BodyVerdict | undefined {
  return typeof body === 'object' && body !== null ? verdicts.get(body) : undefined;
}
