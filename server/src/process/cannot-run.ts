/** What keeps a command from doing its work, told to the operator in one line and without a stack: exit code 1. */
export class CannotRun extends Error {
  override name = 'CannotRun';
}
