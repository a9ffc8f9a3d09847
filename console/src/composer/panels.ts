import type { ReplyCompose } from '@majlis/contract';
import { listenToChanges } from '../live/changes.ts';
import { createStore } from '../live/create-store.ts';
import { useStore } from '../live/store.ts';
import type { ChoicesDraft } from './check-choices.ts';

/** What stands open above the field of a conversation. */
export type Panel =
  | { type: 'templates'; template?: TemplateChoice }
  | { type: 'choices'; given?: ChoicesDraft }
  | { type: 'location'; given?: LocationGiven }
  /** Asks for the customer's number. */
  | { type: 'number'; given?: string }
  | { type: 'voice' }
  | { type: 'ai_draft'; tone?: ReplyCompose['tone'] }
  | { type: 'summary' };

/** A template by its name, with the values of a send that was refused. */
export interface TemplateChoice {
  name: string;
  language: string;
  params?: readonly string[];
}

export interface LocationGiven {
  place: string;
  name: string;
  address: string;
}

/** By conversation, so that a switch closes nothing that a person began. */
const panels = createStore<ReadonlyMap<string, Panel>>(new Map());

export function usePanel(conversation_id: string): Panel | undefined {
  return useStore(panels).get(conversation_id);
}

export function openPanel(conversation_id: string, panel: Panel): void {
  panels.set(new Map(panels.get()).set(conversation_id, panel));
}

export function closePanel(conversation_id: string): void {
  if (!panels.get().has(conversation_id)) return;
  const next = new Map(panels.get());
  next.delete(conversation_id);
  panels.set(next);
}

listenToChanges({
  onChange(change) {
    if (change.kind === 'removed') closePanel(change.conversation_id);
  },
  onForget: () => panels.set(new Map()),
});
