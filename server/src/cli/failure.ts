import { ApiError, ConnectionError, type MajlisError } from '@majlis/sdk';

/** The exit codes of the integrator's commands. docs/cli.md lists them. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  unauthorized: 3,
  not_found: 4,
  conflict: 5,
  refused: 6,
  limited: 7,
  unavailable: 8,
} as const;

export type FailureKind = keyof typeof exitCodes;

/** A failure that the caller can mend. Its message is a sentence for people. */
export class Failure extends Error {
  override name = 'Failure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const kindsByStatus: Record<number, FailureKind> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  405: 'refused',
  409: 'conflict',
  410: 'not_found',
  413: 'refused',
  422: 'refused',
  429: 'limited',
};

export function kindOf(error: MajlisError): FailureKind {
  if (error instanceof ConnectionError) return 'unavailable';
  if (!(error instanceof ApiError)) return 'failed';
  return kindsByStatus[error.status] ?? (error.status >= 500 ? 'unavailable' : 'refused');
}
