import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** The smallest valid PDF of one page with these lines. */
export function makePdf(lines: readonly string[]): Buffer {
  const text = lines.map((line, n) => `BT /F1 12 Tf 50 ${750 - n * 20} Td (${line}) Tj ET`).join('\n');
  return makePdfOf(Buffer.from(text));
}

/** A PDF of one page whose content inflates to so many MB of spaces, compressed twice: 250 MB take 1 kB. */
export function makePdfBomb(megabytes: number): Buffer {
  const spaces = deflateSync(Buffer.alloc(megabytes * 1_048_576, ' '), { level: 9 });
  return makePdfOf(deflateSync(spaces, { level: 9 }), '/Filter [/FlateDecode /FlateDecode]');
}

function makePdfOf(content: Buffer, filter = ''): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} ${filter} >>\nstream\n${content.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  const places = objects.map((object, n) => {
    const place = pdf.length;
    pdf += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${pdf}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`,
    'latin1',
  );
}

function zip(files: Record<string, string>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}

/** A Word file whose document unpacks to so many MB of this XML. */
export function makeDocxBomb(megabytes: number, xml: string): Buffer {
  return zip({ '[Content_Types].xml': types, 'word/document.xml': xml.repeat((megabytes * 1_048_576) / xml.length) });
}

const types = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';

export function makeDocx(paragraphs: readonly string[]): Buffer {
  // Word splits a paragraph into runs at any place.
  const runs = (text: string) =>
    [text.slice(0, 5), text.slice(5)].map((part) => `<w:r><w:t xml:space="preserve">${part}</w:t></w:r>`);
  const body = paragraphs.map((text) => `<w:p>${runs(text).join('')}</w:p>`).join('');
  return zip({
    '[Content_Types].xml': types,
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
  });
}

export function makeXlsx(rows: readonly (readonly (string | number)[])[]): Buffer {
  const strings = rows.flat().filter((cell): cell is string => typeof cell === 'string');
  const cells = (row: readonly (string | number)[]) =>
    row.map((cell) =>
      typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="s"><v>${strings.indexOf(cell)}</v></c>`,
    );
  return zip({
    '[Content_Types].xml': types,
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.map((row) => `<row>${cells(row).join('')}</row>`).join('')}</sheetData></worksheet>`,
  });
}

/** An Excel file with so many cells that all show one stored text. */
export function makeXlsxBomb(cells: number, text: string): Buffer {
  return zip({
    '[Content_Types].xml': types,
    'xl/sharedStrings.xml': `<sst><si><t xml:space="preserve">${text}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(cells)}</sheetData></worksheet>`,
  });
}

export function makePptx(slides: readonly string[]): Buffer {
  const files = slides.map((text, n) => [
    `ppt/slides/slide${n + 1}.xml`,
    `<p:sld><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sld>`,
  ]);
  return zip({ '[Content_Types].xml': types, ...Object.fromEntries(files) });
}
