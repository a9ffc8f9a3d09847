/** A text as a part of a LIKE pattern in which each of its characters stands for itself. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
