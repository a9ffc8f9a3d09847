import type { Proposal } from '@majlis/console-api';
import { tellDropped } from '../composer/tell-dropped.ts';
import { listenToChanges } from '../live/changes.ts';
import { createStore } from '../live/create-store.ts';
import { onPersonLeft } from '../live/person-left.ts';
import { useStore } from '../live/store.ts';

/** What a person writes in place of a proposed text, until it is sent, taken to the reply or left. */
interface Edit {
  proposal: Proposal;
  text: string;
}

/** By the id of the proposal. The text outlives the card, and the proposal. */
const store = createStore<ReadonlyMap<string, Edit>>(new Map());

export function useEdit(id: string): Edit | undefined {
  return useStore(store).get(id);
}

/** The proposals of an open conversation whose text the person is changing. */
export function useEditedProposals(conversation_id: string): readonly Proposal[] {
  return [...useStore(store).values()]
    .map(({ proposal }) => proposal)
    .filter((proposal) => proposal.conversation_id === conversation_id);
}

export function keepEdit(proposal: Proposal, text: string): void {
  store.set(new Map(store.get()).set(proposal.id, { proposal, text }));
}

export function dropEdit(id: string): void {
  keepOnly((edit) => edit.proposal.id !== id);
}

/** Answers whether there were others. */
function keepOnly(isKept: (edit: Edit) => boolean): boolean {
  const kept = [...store.get()].filter(([, edit]) => isKept(edit));
  if (kept.length === store.get().size) return false;
  store.set(new Map(kept));
  return true;
}

listenToChanges({
  onChange(change) {
    // Nothing of a conversation stays that is erased, or hidden from the person by now (danger C8).
    if (change.kind !== 'removed') return;
    if (keepOnly(({ proposal }) => proposal.conversation_id !== change.conversation_id)) tellDropped();
  },
});
onPersonLeft(() => store.set(new Map()));
