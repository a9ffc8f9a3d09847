import { loadWords } from '../words/words.ts';

/** The parts that show proposals, with their words: few conversations have one. */
export async function loadProposalsPage() {
  const [{ ProposalsPage }] = await Promise.all([import('./proposals-page.tsx'), loadWords('proposals')]);
  return ProposalsPage;
}

export async function loadProposalStrip() {
  const [{ ProposalStrip }] = await Promise.all([import('./proposal-strip.tsx'), loadWords('proposals')]);
  return ProposalStrip;
}
