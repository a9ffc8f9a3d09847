/** An error that the operator can mend. The command prints its message in one line, without a stack, and exits with 1. */
export class CannotRun extends Error {
  override name = 'CannotRun';
}
