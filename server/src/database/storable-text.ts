/** Removes U+0000 and replaces lone surrogates, which PostgreSQL refuses in text and JSON (hazards H78 and H79). */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The beginning of a text. No surrogate pair is cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** Parses JSON and makes its texts and member names storable. Throws a SyntaxError. */
export function parseStorableJson(text: string): unknown {
  return JSON.parse(text, (_, value) => {
    if (typeof value === 'string') return storableText(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), member]));
  });
}
