/** Parses CSV as RFC 4180 describes it. Undefined where a quoted field does not end. */
export function parseCsv(text: string): string[][] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  // A spreadsheet may begin a file with a byte order mark.
  field.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (field.lastIndex < text.length || row.length > 0) {
    const found = field.exec(text);
    if (!found) return undefined;
    const [, quoted, plain = '', end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
