/** A key by its place on the keyboard (`event.code`), so that an Arabic layout has the same shortcuts. */
export interface Shortcut {
  code: string;
  /** Control, or Command on a Mac. Without it the shortcut is a single key, which a person may turn off. */
  mod?: boolean;
  shift?: boolean;
  /** The key that is pressed before, as G in "G then M". */
  after?: string;
}
