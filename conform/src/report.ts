export interface Finding {
  id: string;
  text: string;
  verdict: 'holds' | 'broken' | 'not checked';
  /** For a broken clause. */
  expected?: string;
  came?: string;
  /** For a clause that was not checked. */
  reason?: string;
}

export interface Report {
  url: string;
  clauses: Finding[];
  /** The things that the run could not remove. */
  leaves: string[];
}

/** The report as text: one line for each clause, two more for a broken one. */
export function printReport({ url, clauses, leaves }: Report): string {
  const count = (verdict: Finding['verdict']) => clauses.filter((one) => one.verdict === verdict).length;
  return [
    `The contract at ${url}`,
    ...clauses.flatMap(printFinding),
    '',
    ...(leaves.length > 0 ? ['Left behind:', ...leaves.map((one) => `  ${one}`), ''] : []),
    `${count('holds')} hold, ${count('broken')} broken, ${count('not checked')} not checked`,
    '',
  ].join('\n');
}

function printFinding({ id, text, verdict, expected, came, reason }: Finding, at: number, all: Finding[]): string[] {
  const area = id.split('.')[0];
  const heading = all[at - 1]?.id.split('.')[0] === area ? [] : ['', `${area}`];
  const lines = [...heading, `  ${verdict.padEnd(11)}  ${id}: ${text}`];
  if (reason !== undefined) lines.push(`${' '.repeat(15)}${reason}`);
  if (expected !== undefined)
    lines.push(`${' '.repeat(15)}expected  ${expected}`, `${' '.repeat(15)}came      ${came}`);
  return lines;
}
