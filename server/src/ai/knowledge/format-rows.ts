import type { DomNode, FormatCallback } from 'html-to-text';

const groups = new Set(['thead', 'tbody', 'tfoot', 'center']);
const cells = new Set(['td', 'th']);

/**
 * Writes a table with one line for each row, so that search and quotes return whole rows. The library draws columns instead: it makes
 * as many as a `colspan` says, and takes quadratic time for the rows.
 */
export const formatRows: FormatCallback = (table, walk, builder) => {
  builder.openTable();
  for (const row of rowsOf(table)) {
    builder.openTableRow();
    for (const cell of (row.children ?? []).filter(({ name }) => cells.has(name!))) {
      builder.openTableCell();
      walk(cell.children, builder);
      builder.closeTableCell();
    }
    builder.closeTableRow();
  }
  builder.closeTable({ tableToString: (rows) => rows.map(lineOf).filter(Boolean).join('\n') });
};

function rowsOf({ children = [] }: DomNode): DomNode[] {
  return children.flatMap((child) => {
    if (child.name === 'tr') return [child];
    return groups.has(child.name!) ? rowsOf(child) : [];
  });
}

/** Cells of more lines, as in a table that arranges a page, keep their lines and come one after the other. */
function lineOf(row: readonly { text: string }[]): string {
  const texts = row.map(({ text }) => text.trim()).filter(Boolean);
  return texts.join(texts.some((text) => text.includes('\n')) ? '\n' : ' | ');
}
