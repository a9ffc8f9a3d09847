import type { ErrorCode, HttpOperation } from '@majlis/contract';
import type { ConsoleErrorCode } from './errors.ts';
import type { Role } from './roles.ts';

/**
 * An operation of the console. It serves this installation's own console alone: it may change with every version, and other
 * clients must not rely on it.
 */
export interface ConsoleOperation extends HttpOperation {
  readonly path: `/console/v1/${string}`;
  /**
   * `anyone` needs no session; `person` needs one; a role is the least role in the workspace of the path, whose parameter is
   * `workspace_id`.
   */
  readonly audience: 'anyone' | 'person' | Role;
  /** Needs a proof of identity within the last ten minutes: password, passkey or code. */
  readonly confirmed?: true;
  /** Reaches customers of all teams: refused to a person who sees own teams alone. */
  readonly whole_workspace?: true;
  /** The body may hold thousands of people. */
  readonly takes_lists?: true;
  /** The answer is a stream that stays open. */
  readonly streams?: true;
  readonly refusals: readonly (ErrorCode | ConsoleErrorCode)[];
}

/** Keeps the literal types, so that each operation has the types of its own schemas. */
export function defineConsoleOperation<const O extends ConsoleOperation>(operation: O): O {
  return operation;
}
