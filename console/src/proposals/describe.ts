import type { Proposal } from '@majlis/console-api';
import { isolated } from '../words/isolated.ts';
import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';

const headings = {
  send_message: 'proposals.by_message',
  send_template: 'proposals.by_template',
  ask: 'proposals.by_ask',
  close: 'proposals.by_close',
  assign: 'proposals.by_assign',
  set_tag: 'proposals.by_set_tag',
  clear_tag: 'proposals.by_clear_tag',
  set_stage: 'proposals.by_set_stage',
} as const satisfies Record<Proposal['action'], WordId>;

/** Who proposes what. */
export function headingOf({ action, proposed_by: { kind, name } }: Proposal): string {
  const proposer = name ?? t(kind === 'ai_agent' ? 'proposals.somebody_agent' : 'proposals.somebody_workflow');
  return t(headings[action], { name: isolated(proposer) });
}

export function isMessage({ content }: Proposal): boolean {
  return content !== undefined;
}

/** The text that a person may change before it is sent; undefined where there is none. */
export function editableText({ content }: Proposal): string | undefined {
  if (!content || ['template', 'interactive', 'location'].includes(content.kind)) return undefined;
  return content.body ?? '';
}

/** What would change, where it is no message. */
export function changeText({ change = {} }: Proposal): string {
  const { tag, stage, user, team, round_robin, category, summary } = change;
  if (round_robin === true) return t('proposals.next_free');
  if (stage === null) return t('proposals.no_stage');
  if (user === null || team === null) return t('proposals.nobody');
  return [tag, stage, user, team, category, summary].filter((value) => typeof value === 'string').join(' · ');
}
