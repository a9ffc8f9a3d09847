import type { ReplyCompose, Template } from '@majlis/contract';
import { listenToChanges } from '../live/changes.ts';
import { createStore } from '../live/create-store.ts';
import { onPersonLeft } from '../live/person-left.ts';
import { useStore } from '../live/store.ts';
import type { ChoicesDraft } from './check-choices.ts';
import type { HeaderUpload } from './header-upload.ts';
import { tellDropped } from './tell-dropped.ts';

/** What stands open above the field of a conversation, with what is written in it. */
export type Panel =
  | { type: 'templates'; template?: TemplateChoice }
  | { type: 'choices'; given?: ChoicesDraft }
  | { type: 'location'; given?: LocationGiven }
  /** Asks for the customer's number. */
  | { type: 'number'; given?: string }
  | { type: 'voice' }
  | { type: 'ai_draft'; tone?: ReplyCompose['tone'] }
  | { type: 'summary' };

/** A template by its name, with what is written in it. */
export interface TemplateChoice {
  name: string;
  language: string;
  /** As it was when the person chose it: it may be withdrawn meanwhile. */
  chosen?: Template;
  /** By the places of its values. The rest follows the contact. */
  written?: WrittenValues;
  /** The file of its header. */
  file: HeaderUpload;
}

export type WrittenValues = Readonly<Record<number, string>>;

export interface LocationGiven {
  place: string;
  name: string;
  address: string;
}

export interface OpenedPanel {
  panel: Panel;
  /** Of each opening another one. That of the templates that stand there by themselves is 0. */
  id: number;
}

/** By conversation, so that a switch closes nothing that a person began. A summary stands above what they write. */
const panels = createStore<ReadonlyMap<string, OpenedPanel>>(new Map());
/** What was written in panels that made room, by conversation and type. */
const hidden = new Map<string, readonly Panel[]>();
let count = 0;

const placeOf = (conversation_id: string, type: Panel['type']) =>
  type === 'summary' ? `${conversation_id} summary` : conversation_id;

export function usePanel(conversation_id: string): OpenedPanel | undefined {
  return useStore(panels).get(conversation_id);
}

export function useSummary(conversation_id: string): OpenedPanel | undefined {
  return useStore(panels).get(placeOf(conversation_id, 'summary'));
}

/** Another panel in its place makes room. One that is opened empty begins with what was written in one of its type. */
export function openPanel(conversation_id: string, panel: Panel): void {
  count += 1;
  if (panel.type !== 'summary') hidePanel(conversation_id);
  const isEmpty = !('given' in panel) && !('template' in panel);
  put(conversation_id, { panel: (isEmpty && takeHidden(conversation_id, panel)) || panel, id: count });
}

function takeHidden(conversation_id: string, panel: Panel): Panel | undefined {
  const name = nameOf(conversation_id, panel);
  const all = hidden.get(name) ?? [];
  if (all.length > 1) hidden.set(name, all.slice(0, -1));
  else hidden.delete(name);
  return all.at(-1);
}

/** Keeps what a person has written in the panel they see. The templates may stand there by themselves, before another. */
export function writePanel(conversation_id: string, panel: Panel): void {
  const { type } = panel;
  if (panels.get().get(placeOf(conversation_id, type))?.panel.type !== type) hidePanel(conversation_id);
  const { id = 0 } = panels.get().get(placeOf(conversation_id, type)) ?? {};
  put(conversation_id, { panel, id });
}

function put(conversation_id: string, opened: OpenedPanel): void {
  panels.set(new Map(panels.get()).set(placeOf(conversation_id, opened.panel.type), opened));
}

export function closePanel(conversation_id: string, type: Panel['type']): void {
  const place = placeOf(conversation_id, type);
  if (panels.get().get(place)?.panel.type !== type) return;
  const next = new Map(panels.get());
  next.delete(place);
  panels.set(next);
}

/** Makes room for another one, or for the field. What is written in the panel stands in it again when it is opened. */
export function hidePanel(conversation_id: string): void {
  const panel = panels.get().get(conversation_id)?.panel;
  if (!panel) return;
  const name = nameOf(conversation_id, panel);
  if (isWritten(panel)) hidden.set(name, [...(hidden.get(name) ?? []), panel]);
  closePanel(conversation_id, panel.type);
}

const nameOf = (conversation_id: string, { type }: Panel) => `${conversation_id} ${type}`;

function drop(conversation_id: string): void {
  const isOf = ([name]: [string, unknown]) => name.startsWith(conversation_id);
  const shown = [...panels.get()];
  const ofHidden = [...hidden].filter(isOf);
  const dropped = [...shown.filter(isOf).map(([, { panel }]) => panel), ...ofHidden.flatMap(([, all]) => all)];
  if (dropped.length === 0) return;
  panels.set(new Map(shown.filter((one) => !isOf(one))));
  for (const [name] of ofHidden) hidden.delete(name);
  if (dropped.some(isWritten)) tellDropped();
}

/** Whether a person wrote something in it, or chose a file. A template that is merely chosen says nothing yet. */
function isWritten(panel: Panel): boolean {
  switch (panel.type) {
    case 'templates':
      return panel.template !== undefined && (hasFile(panel.template) || isSaid(panel.template.written));
    case 'choices':
      return isSaid([panel.given?.body, ...(panel.given?.choices ?? []).flatMap(Object.values)]);
    case 'location':
      return isSaid(panel.given);
    case 'number':
      return isSaid([panel.given]);
    default:
      return false;
  }
}

const hasFile = ({ file }: TemplateChoice) => file.store.get().name !== undefined;

const isSaid = (texts: object = {}) => Object.values(texts).some((text?: string) => text?.trim());

listenToChanges({
  onChange(change) {
    if (change.kind === 'removed') drop(change.conversation_id);
  },
});
onPersonLeft(() => {
  hidden.clear();
  panels.set(new Map());
});
