import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import { countDepth } from './count-depth.ts';
import { UnreadableSource } from './unreadable-source.ts';

// The unpacked size: an archive of a few kilobytes may expand to gigabytes.
const maxBytes = 64 * 1_048_576;
const parts =
  /^(word\/(document|footnotes|endnotes)|xl\/sharedStrings|xl\/worksheets\/sheet\d+|ppt\/slides\/slide\d+|content)\.xml$/;

/** The text of a Word, Excel, PowerPoint or OpenDocument file. */
export function extractOffice(bytes: Uint8Array): string {
  const files = unzip(bytes);
  const names = Object.keys(files).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  if (names.length === 0) throw new UnreadableSource('an archive that is no Office document cannot be read');
  const xml = (name: string) => new TextDecoder().decode(files[name]);
  const shared = files['xl/sharedStrings.xml'] ? readStrings(xml('xl/sharedStrings.xml')) : [];
  return names
    .filter((name) => name !== 'xl/sharedStrings.xml')
    .map((name) => (name.startsWith('xl/') ? readSheet(xml(name), shared) : readParagraphs(xml(name))))
    .join('\n\n');
}

function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!parts.test(name)) return false;
        total += originalSize;
        if (total > maxBytes) throw new UnreadableSource('it is larger than can be read, once it is unpacked');
        return true;
      },
    });
  } catch (error) {
    throw error instanceof UnreadableSource ? error : new UnreadableSource('the file is broken');
  }
}

interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

function parseXml(xml: string, { open, text, close }: XmlHandlers): void {
  const depth = countDepth();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth.open();
        open?.(name, attributes);
      },
      ontext: (part) => text?.(part),
      onclosetag(name) {
        depth.close();
        close?.(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

// Elements of Word, PowerPoint and OpenDocument. Only OpenDocument has text outside of text elements.
const paragraphs = new Set(['w:p', 'a:p', 'text:p', 'text:h']);
const texts = new Set(['w:t', 'a:t', 'text:p', 'text:h']);
const spaces = new Map([
  ['w:tab', '\t'],
  ['w:br', '\n'],
  ['a:br', '\n'],
  ['text:tab', '\t'],
  ['text:s', ' '],
  ['text:line-break', '\n'],
]);

function readParagraphs(xml: string): string {
  let result = '';
  let depth = 0;
  parseXml(xml, {
    open(name) {
      if (texts.has(name)) depth += 1;
      result += spaces.get(name) ?? '';
    },
    text(part) {
      if (depth > 0) result += part;
    },
    close(name) {
      if (texts.has(name)) depth -= 1;
      if (paragraphs.has(name)) result += '\n';
    },
  });
  return result;
}

/** Trimmed once: any number of cells may show one text, and each would read its spaces again (hazard H109). */
function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let depth = 0;
  parseXml(xml, {
    open(name) {
      if (name === 'si') strings.push('');
      if (name === 't') depth += 1;
    },
    text(part) {
      if (depth > 0) strings[strings.length - 1] += part;
    },
    close(name) {
      if (name === 't') depth -= 1;
    },
  });
  return strings.map((text) => text.trim());
}

/** One line for each row, so that search and quotes return whole rows. */
function readSheet(xml: string, shared: readonly string[]): string {
  const rows: string[][] = [];
  let type: string | undefined;
  let value: string | undefined;
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'row') rows.push([]);
      if (name === 'c') type = attributes.t;
      if (name === 'v' || name === 't') value = '';
    },
    text(part) {
      if (value !== undefined) value += part;
    },
    close(name) {
      if ((name !== 'v' && name !== 't') || value === undefined) return;
      const text = type === 's' ? (shared[Number(value)] ?? '') : value.trim();
      if (text !== '') rows.at(-1)?.push(text);
      value = undefined;
    },
  });
  return rows
    .filter((row) => row.length > 0)
    .map((row) => row.join(' | '))
    .join('\n');
}
