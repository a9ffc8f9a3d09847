/**
 * Makes a text valid as a template parameter: the platform refuses line breaks, tabs and more than four spaces in a row
 * (section 1.2).
 */
export function closeGaps(text: string): string {
  return text.replace(/\s+/g, (gap) => (/[\r\n\t]/.test(gap) ? ' ' : gap)).replace(/ {5,}/g, '    ');
}
