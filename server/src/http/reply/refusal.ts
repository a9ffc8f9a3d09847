import { type ConsoleErrorCode, consoleErrors, type FaultReason, type NewerReply } from '@majlis/console-api';
import {
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  type ExtensionErrorCode,
  errors,
  extensionErrors,
} from '@majlis/contract';

const catalogue = { ...errors, ...extensionErrors, ...consoleErrors };
type Code = ErrorCode | ExtensionErrorCode | ConsoleErrorCode;

/** A fault of a member. */
export interface MemberFault extends ErrorDetail {
  /** For the console alone: `/v1` has no such member. */
  reason?: FaultReason;
}

/** The members of a refusal besides its code. */
export interface RefusalExtra {
  /** A sentence about this case for people. */
  detail?: string;
  /** Each invalid member of the body or query. */
  errors?: MemberFault[];
  headers?: Record<string, string>;
  /** Of `newer_reply`: the colleague's reply. */
  newer_reply?: NewerReply;
}

/** A refusal: nothing was done, and the caller learns the reason. Use cases and rules throw it, or return it for one of many. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly extra: RefusalExtra;

  constructor(code: Code, extra: RefusalExtra = {}) {
    super(extra.detail ?? catalogue[code].title);
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return catalogue[this.code].status;
  }

  /** As `/v1` answers. */
  get body(): ErrorBody & { newer_reply?: NewerReply } {
    const { status, title } = catalogue[this.code];
    const { detail, errors: details, newer_reply } = this.extra;
    return {
      code: this.code,
      title,
      status,
      ...(detail !== undefined && { detail }),
      ...(details !== undefined && { errors: details.map(({ reason, ...fault }) => fault) }),
      ...(newer_reply && { newer_reply }),
    };
  }

  /** As the console is answered. */
  get console_body(): object {
    const { errors } = this.extra;
    return { ...this.body, ...(errors && { errors }) };
  }
}

// More would help nobody, and a list of thousands may have a fault in each entry.
const maxDetails = 10;

/** 422 with one detail per invalid member: the first ones. */
export function invalid(faults: MemberFault | readonly MemberFault[]): Refusal {
  return new Refusal('unprocessable_content', { errors: [faults].flat().slice(0, maxDetails) });
}

/** The fault of a member with an id that names nothing of the workspace. */
export function unknownReference(detail: string, pointer: string): MemberFault {
  return { detail, pointer, reason: 'unknown_reference' };
}
