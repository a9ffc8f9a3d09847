/**
 * A template's parameter as the platform takes it: it refuses one with a line break, a tab or more than four spaces in a
 * row (section 1.2).
 */
export function closeGaps(text: string): string {
  return text.replace(/\s+/g, (gap) => (/[\r\n\t]/.test(gap) ? ' ' : gap)).replace(/ {5,}/g, '    ');
}
