import { type ErrorBody, type ErrorCode, type ErrorDetail, errors } from '@majlis/contract';

/** What a refusal says besides its code. */
export interface RefusalExtra {
  /** What happened in this case, for a person to read. */
  detail?: string;
  /** Each member of the body or query that is wrong. */
  errors?: ErrorDetail[];
  headers?: Record<string, string>;
}

/** A refusal: nothing was done, and the caller is told why. Thrown by stories and rules, or returned for one of many. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly extra: RefusalExtra;

  constructor(code: ErrorCode, extra: RefusalExtra = {}) {
    super(extra.detail ?? errors[code].title);
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return errors[this.code].status;
  }

  get body(): ErrorBody {
    const { status, title } = errors[this.code];
    const { detail, errors: details } = this.extra;
    return {
      code: this.code,
      title,
      status,
      ...(detail !== undefined && { detail }),
      ...(details !== undefined && { errors: details }),
    };
  }
}

/** 422 for members of the body, each with what is wrong. */
export function invalid(...details: ErrorDetail[]): Refusal {
  return new Refusal('unprocessable_content', { errors: details });
}
