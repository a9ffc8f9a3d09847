// As in the function contact_terms of the database: these lengths of text are indexed.
const sizes = [4, 2, 1];
// So many are enough to tell a long text from all others; what they find is compared in full.
const mostTerms = 32;

/**
 * Indexed texts that everything holds which holds the pattern; together they cover it, up to the name in an address.
 * Letters are code points, as there.
 */
export function termsOf(pattern: string): string[] {
  const letters = tellingPart([...pattern]);
  const size = sizes.find((length) => length <= letters.length)!;
  const last = letters.length - size;
  const terms = [];
  for (let start = 0; start < last && terms.length < mostTerms - 1; start += size) terms.push(start);
  return [...new Set([...terms, last].map((start) => letters.slice(start, start + size).join('')))];
}

/** Of an e-mail address the part that is somebody's own: most addresses share what follows it, and it costs the most. */
function tellingPart(letters: string[]): string[] {
  const own = letters.slice(0, letters.indexOf('@') + 1);
  return own.length >= sizes[0]! ? own : letters;
}
