/** What of a text PostgreSQL can keep: it takes neither U+0000 nor half of a surrogate pair, in text as in JSON (H78, H79). */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Parses JSON so that it can be kept: the letters that it escapes, in texts and in the names of members. Throws a SyntaxError. */
export function parseStorableJson(text: string): unknown {
  return JSON.parse(text, (_, value) => {
    if (typeof value === 'string') return storableText(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), member]));
  });
}
