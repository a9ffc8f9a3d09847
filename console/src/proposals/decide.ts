import type { Proposal } from '@majlis/console-api';
import { proposalsChanged, proposalsPathOf } from '../live/proposals.ts';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { tell } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { isMessage } from './describe.ts';
import { dropEdit } from './edits.ts';

export const proposalPath = (workspace_id: string, id: string) => `${proposalsPathOf(workspace_id)}/${id}`;

/** Answers why the rules refuse it now, where the proposal waits on; undefined once it is decided. */
export function acceptProposal(workspace_id: string, proposal: Proposal, text?: string): Promise<string | undefined> {
  const done = t(isMessage(proposal) ? 'proposals.sent' : 'proposals.done');
  return decide(workspace_id, proposal, 'accept', { ...(text !== undefined && { text }) }, done);
}

export function refuseProposal(workspace_id: string, proposal: Proposal, reason: string): Promise<string | undefined> {
  const body = reason.trim() === '' ? {} : { reason: reason.trim() };
  return decide(workspace_id, proposal, 'refuse', body, t('proposals.refused'));
}

async function decide(
  workspace_id: string,
  { id }: Proposal,
  action: 'accept' | 'refuse',
  body: object,
  done: string,
): Promise<string | undefined> {
  const path = proposalPath(workspace_id, id);
  try {
    await request('POST', `${path}/${action}`, body);
    dropEdit(id);
    tell(done);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'already_decided') return sentenceOf(error);
    // Somebody was faster, or it has ended: the service says who, or why.
    tell(describeEnd(await request<Proposal>('GET', path).catch(() => undefined)));
    return undefined;
  } finally {
    void proposalsChanged(workspace_id);
  }
}

/** What became of a proposal, in a sentence. */
export function describeEnd(proposal: Proposal | undefined): string {
  const { state, end_reason, decided_by } = proposal ?? {};
  const name = isolated(decided_by?.name ?? t('thread.someone'));
  if (state === 'accepted') return t('proposals.accepted_by', { name });
  if (state === 'refused') return t('proposals.refused_by', { name });
  return t(end_reason === undefined ? 'error.already_decided' : `proposals.ended_${end_reason}`);
}
