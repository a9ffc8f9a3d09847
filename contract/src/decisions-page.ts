import type { Decision } from './decisions/decision.ts';
import { decisions } from './decisions.ts';

/** The register as a page in Markdown. */
export function renderDecisions(): string {
  const sections = Object.entries(decisions).map(([subject, of]) => `## ${subject}\n\n${table(of)}`);
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

const introduction = `# What the contract leaves open

<!-- Generated from contract/src/decisions.ts by scripts/generate-contract.ts. -->

The contract leaves some points open, and a program must do something there. This page lists each of them, with what
Majlis does and why. **None of it is part of the contract: clients must not rely on it**, and it may change.

The choices follow four rules, in this order: a point stays open where it can stay open; else the contract's own data or
words decide; else a published standard does, where the contract speaks its language; else it is a setting of the
operator.`;

function table(of: readonly Decision[]): string {
  const rows = of.map(({ open, chosen, because }) => `| ${[open, chosen, because].map(cell).join(' | ')} |`);
  return ['| Open | Chosen | Because |', '| --- | --- | --- |', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
