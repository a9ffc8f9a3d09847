import type { Decision } from './decisions/decision.ts';
import { decisions } from './decisions.ts';

/** Renders the decisions as a page in Markdown. */
export function renderDecisions(): string {
  const sections = Object.entries(decisions).map(([subject, list]) => `## ${subject}\n\n${renderTable(list)}`);
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

const introduction = `# What the contract leaves open

<!-- Generated from contract/src/decisions.ts by scripts/generate-contract.ts. -->

The contract leaves some points open. This page lists each point, the choice of Majlis and the reason. **The choices are
not part of the contract: clients must not rely on them.** They may change.

Four rules lead to a choice, in this order:

1. The point stays open where the program needs no choice.
2. The contract's own data or words decide.
3. A published standard decides where the contract uses its terms.
4. The operator decides by a setting.`;

function renderTable(list: readonly Decision[]): string {
  const rows = list.map(({ open, chosen, because }) => `| ${[open, chosen, because].map(escapeCell).join(' | ')} |`);
  return ['| Open | Chosen | Because |', '| --- | --- | --- |', ...rows].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
