import { beforeHeader, type ContactBefore } from '@majlis/console-api/before';
import type { Conversation } from '@majlis/contract';
import { prepareRestore } from '../../conversation/restore.ts';
import { changeConversation } from '../../live/change-conversation.ts';
import { conversationChanged, conversations } from '../../live/conversations.ts';
import { request, sentenceOf } from '../../live/request.ts';
import { mayUndoLater, tellNotUndone } from '../../parts/tell-not-undone.ts';
import { tell, tellUndoable } from '../../parts/toasts.ts';
import { performUndoable } from '../../parts/undo.ts';
import { t } from '../../words/words.ts';
import { failuresStore } from './failures.ts';
import { runBulk } from './run-bulk.ts';
import { endSelecting, select } from './selection.ts';

type Undo = () => Promise<unknown>;
type Act = (conversation: Conversation, path: string) => Promise<Undo>;

/** Performs the action on all, tells the outcome, and offers to take all of it back. */
function perform(workspace_id: string, ids: readonly string[], act: Act): Promise<void> {
  return performUndoable(() => performOnAll(workspace_id, ids, act));
}

async function performOnAll(workspace_id: string, ids: readonly string[], act: Act): Promise<void> {
  const base = `/workspaces/${workspace_id}`;
  const { done, failed } = await runBulk(ids, async (id) => {
    const path = `${base}/conversations/${id}`;
    const conversation = conversations.get(id) ?? (await request<Conversation>('GET', path));
    const undo = await act(conversation, path);
    conversationChanged(id);
    return { id, undo };
  });
  report(failed);
  if (done.length > 0) tellUndoable(t('bulk.done', { count: done.length }), () => void takeBack(done));
  if (failed.length > 0) select(failed.map(({ id }) => id));
  else endSelecting();
}

interface Done {
  id: string;
  undo: Undo;
}

async function takeBack(done: readonly Done[]): Promise<void> {
  const undos = new Map(done.map(({ id, undo }) => [id, undo]));
  const { done: undone, failed } = await runBulk([...undos.keys()], async (id) => {
    await undos.get(id)!();
    conversationChanged(id);
  });
  const passing = failed.filter(({ error }) => mayUndoLater(error));
  report(failed.filter((one) => !passing.includes(one)));
  if (undone.length > 0) tell(t('bulk.undone', { count: undone.length }));
  const [first] = passing;
  if (!first) return;
  const left = new Set(passing.map(({ id }) => id));
  tellNotUndone(first.error, () => void takeBack(done.filter(({ id }) => left.has(id))));
}

function report(failed: readonly { id: string; error: unknown }[]): void {
  failuresStore.set(
    failed.map(({ id, error }) => {
      const { contact_name, contact_handle } = conversations.get(id) ?? {};
      return { id, name: contact_name ?? contact_handle ?? t('inbox.unnamed'), sentence: sentenceOf(error) };
    }),
  );
}

const change = (path: string, action: string, body: object) => changeConversation('POST', `${path}/${action}`, body);

interface Assignment {
  assignee_id?: string | null;
  team_id?: string | null;
}

export function assignAll(workspace_id: string, ids: readonly string[], assignment: Assignment): Promise<void> {
  return perform(workspace_id, ids, async (_, path) => {
    const { answer, before } = await change(path, 'assign', assignment);
    const expected = { assignee_id: answer.assignee_id ?? null, team_id: answer.team_id ?? null };
    const { assignee_id, team_id } = before;
    return prepareRestore(path, { expected, restored: { assignee_id, team_id } });
  });
}

export function closeAll(workspace_id: string, ids: readonly string[], category_id?: string): Promise<void> {
  return perform(workspace_id, ids, async (_, path) => {
    const { before } = await change(path, 'close', category_id === undefined ? {} : { category_id });
    if (before.status !== 'open') return async () => {};
    return prepareRestore(path, { expected: { status: 'closed' }, restored: { status: 'open' } });
  });
}

export function snoozeAll(workspace_id: string, ids: readonly string[], until_ms: number): Promise<void> {
  const until = new Date(until_ms).toISOString();
  return perform(workspace_id, ids, async (_, path) => {
    const { before } = await change(path, 'snooze', { until });
    const restored = { snoozed_until: before.snoozed_until };
    return prepareRestore(path, { expected: { snoozed_until: until }, restored });
  });
}

export function tagAll(workspace_id: string, ids: readonly string[], tag: string): Promise<void> {
  return perform(workspace_id, ids, async ({ contact_id }) => {
    const path = `/workspaces/${workspace_id}/contacts/${contact_id}/edit`;
    let told = '{}';
    const onHeaders = (headers: Headers) => {
      told = headers.get(beforeHeader) ?? told;
    };
    await request('POST', path, { add_tags: [tag] }, { onHeaders });
    const { had_tags: [hadTag] = [] }: Partial<ContactBefore> = JSON.parse(told);
    return async () => {
      if (hadTag === false) await request('POST', path, { remove_tags: [tag] });
    };
  });
}
