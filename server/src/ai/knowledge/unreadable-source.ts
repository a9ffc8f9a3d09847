/** A knowledge source that no retry can read. The operator reads the message. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}
