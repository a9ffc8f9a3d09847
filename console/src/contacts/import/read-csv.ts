export const separators = [',', ';', '\t', '|'] as const;
export type Separator = (typeof separators)[number];

/** Encodings of files that spreadsheets write in Arabic and Latin scripts. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1256', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** By its mark, or by whether it is UTF-8. Otherwise the old encoding of Arabic, in which Latin letters are the same. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1256';
  }
}

/** Whichever divides the first rows into the same number of cells, above one. */
export function detectSeparator(text: string): Separator {
  const head = text.slice(0, 65_536);
  const [named] = /^sep=(.)\r?\n/.exec(head)?.slice(1) ?? [];
  if ((separators as readonly (string | undefined)[]).includes(named)) return named as Separator;
  const scored = separators.map((separator) => {
    const rows = readCsv(head, separator).slice(0, 20);
    const width = rows[0]?.length ?? 0;
    const same = rows.filter((row) => row.length === width).length;
    return { separator, score: width > 1 ? same * 100 + width : 0 };
  });
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).separator;
}

/** The rows of a file (RFC 4180), without empty ones. A quote within a cell that has none around it is a sign as any other. */
export function readCsv(text: string, separator: Separator): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    cell = '';
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    row = [];
  };
  // The service stores no U+0000, which broken files have.
  const body = text
    .replace(/^\ufeff/, '')
    .replace(/^sep=.\r?\n/, '')
    .replaceAll('\0', '');
  for (let at = 0; at < body.length; at++) {
    const sign = body[at]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (body[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && body[at + 1] === '\n') at++;
      endRow();
    } else cell += sign;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** A file that a spreadsheet reads as UTF-8, in which no cell is taken for a formula. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map(writeCell).join(','));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

// A spreadsheet of a country with another list separator begins a cell behind it, or behind a line break, within our quotes.
const formulaStart = /^(?=[=+\-@\t\r])|(?<=[;\t\r\n])(?=[=+\-@])/g;

function writeCell(text: string): string {
  const isNumber = /^[+-]?[\d\s().-]+$/.test(text);
  const harmless = isNumber ? text : text.replace(formulaStart, "'");
  return /[",\r\n;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
