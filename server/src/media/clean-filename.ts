// Unsafe are control characters, line breaks included, and bidi overrides, which make `gpj.exe` look like a picture. The
// plain direction marks of Arabic text stay.
const unsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The last part of a path without unsafe characters. Undefined if nothing is left. */
export function cleanFilename(given: string | undefined): string | undefined {
  const name = (given ?? '').split(/[/\\]/).at(-1)!.toWellFormed().replace(unsafe, '').trim();
  return /^\.*$/.test(name) ? undefined : name;
}
