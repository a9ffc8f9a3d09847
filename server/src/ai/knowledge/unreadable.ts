/** Why a knowledge source cannot be read, however often it is tried; for the operator to read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
