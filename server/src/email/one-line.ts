/**
 * A name for a line of an e-mail. Names come from people: a line break would end the subject, or begin a line that seems to be of
 * the service (hazard H108).
 */
export function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
