// Customers write names and messages. A terminal would obey escape sequences in them, and bidi overrides would disguise text.
const dangerous = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The text on one line, with everything that a terminal obeys in its escaped form. */
export function printable(text: string): string {
  return text.replace(dangerous, escapeCharacter);
}

/** JSON for a terminal or a program. The escapes change no value. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(dangerous, (character) =>
    // JSON.stringify has escaped all others of the first 32: a line break here is one of the indentation.
    character === '\n' ? character : escapeCharacter(character),
  );
}

function escapeCharacter(character: string): string {
  if (character === '\n') return String.raw`\n`;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
