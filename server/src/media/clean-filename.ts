// What a name may not bring along: control characters (line breaks among them) and the marks that turn the direction of
// the text after them, by which `gpj.exe` is read as a picture. The plain marks of Arabic text stay.
const unsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The last part of a path, without what could act outside a name; undefined where nothing is left. */
export function cleanFilename(given: string | undefined): string | undefined {
  const name = (given ?? '').split(/[/\\]/).at(-1)!.toWellFormed().replace(unsafe, '').trim();
  return /^\.*$/.test(name) ? undefined : name;
}
