import type { DraftKind, NewerReply } from '@majlis/console-api';
import type { ConversationMessageSend, Message } from '@majlis/contract';
import { listenToChanges } from '../live/changes.ts';
import { createStore } from '../live/create-store.ts';
import { makeKey } from '../live/make-key.ts';
import { Failure, isPassing, request } from '../live/request.ts';
import { userIn } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { onUnfinishedSend, openDraft } from './drafts.ts';
import { forgetSend, keepSend } from './kept-sends.ts';
import { quotedStore } from './quoted.ts';
import { markReplySeen } from './seen-replies.ts';
import { tellDropped } from './tell-dropped.ts';

/** A message on its way to the service. Its bubble stands at the end of the thread until the message itself is there. */
export interface PendingMessage {
  /** The idempotency key, made with the bubble. */
  key: string;
  workspace_id: string;
  conversation_id: string;
  kind: string;
  body: string;
  filename?: string;
  reply_to_id?: string;
  /** `held`: a colleague has replied meanwhile, and the person decides. */
  state: 'sending' | 'failed' | 'held';
  failure?: Failure;
  /** Of a held message: the reply that the person has not seen. */
  unseen?: NewerReply;
  /** Present as soon as the service has accepted the message. */
  message_id?: string;
}

/** What to send. Everything is named here: a later switch of the conversation changes nothing. */
export interface Send {
  workspace_id: string;
  conversation_id: string;
  user_id: string;
  mode: DraftKind;
  content: ConversationMessageSend;
  filename?: string;
  /** What the bubble reads, where that is not the body. */
  shown?: string;
  /** The text was taken from the draft of this mode. */
  isFromDraft: boolean;
  /** The newest reply that the person has seen; empty: none. The service compares it. Absent: nothing is compared. */
  seen_reply_id?: string;
  /** Gives back what is no text, such as files. Without a failure, a message before this one was refused. */
  onRefused?: (failure?: Failure) => void;
}

export interface Entry extends Send {
  key: string;
  draft_version?: string | undefined;
  /** A reload knows enough to go on. */
  isResumable?: boolean;
}

const pending = createStore<readonly PendingMessage[]>([]);
/** Why the last send of a conversation was refused, until the person writes again. */
export const refusals = createStore<ReadonlyMap<string, Failure>>(new Map());
/** The entries of each conversation, in order. The first one is under way. */
const queues = new Map<string, Entry[]>();
const decisions = new Map<string, (decision: 'send' | 'withdraw') => void>();
let generation = 0;

export function usePending(conversation_id: string): readonly PendingMessage[] {
  return useStore(pending).filter((message) => message.conversation_id === conversation_id);
}

export function send(sent: Send): void {
  enqueue({ ...sent, key: makeKey() });
}

export function enqueue(entry: Entry): void {
  const { key, workspace_id, conversation_id, content, filename, mode, shown } = entry;
  const { body = '', reply_to_id } = content;
  const kind = mode === 'note' ? 'note' : content.kind;
  const more = { ...(filename !== undefined && { filename }), ...(reply_to_id !== undefined && { reply_to_id }) };
  const bubble: PendingMessage = {
    key,
    workspace_id,
    conversation_id,
    kind,
    body: shown ?? body,
    ...more,
    state: 'sending',
  };
  pending.set([...pending.get(), bubble]);
  tellRefusal(conversation_id, undefined);
  const queue = queues.get(conversation_id) ?? [];
  queues.set(conversation_id, queue);
  queue.push(entry);
  if (queue.length === 1) void work(queue, generation);
}

/** One message after the other, so that they arrive in the order in which they were written. */
async function work(queue: Entry[], of: number): Promise<void> {
  while (queue.length > 0 && of === generation) {
    const entry = queue[0]!;
    const outcome = await deliver(entry, of);
    if (of !== generation || queue[0] !== entry) return;
    if (outcome instanceof Failure) refuse(queue, outcome);
    else if (outcome === 'withdrawn') giveBack(queue);
    else queue.shift();
  }
}

const firstWaitMs = 1_000;
const mostWaitMs = 30_000;
const mostBugs = 5;

/** Tries until the service has answered. Every attempt has the same key, so the message is sent once. */
async function deliver(entry: Entry, of: number): Promise<'accepted' | 'withdrawn' | Failure> {
  let waitMs = firstWaitMs;
  let bugs = 0;
  while (of === generation) {
    try {
      await prepare(entry);
      if (of !== generation) break;
      const message = await post(entry);
      accept(entry, message);
      if (entry.isFromDraft) {
        await openDraft({ ...entry, kind: entry.mode }).release(entry.draft_version);
      }
      forgetSend(entry.key);
      return 'accepted';
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.newer_reply) {
        if ((await hold(entry, error.newer_reply)) === 'withdraw') return 'withdrawn';
        continue;
      }
      if (error.code === 'internal_server_error') bugs += 1;
      if (!isPassing(error) || bugs >= mostBugs) return error;
      await untilRetry(Math.max(waitMs, error.retry_after_seconds * 1000));
      waitMs = Math.min(mostWaitMs, waitMs * 2);
    }
  }
  return 'withdrawn';
}

/** Keeps the send for a reload. */
async function prepare(entry: Entry): Promise<void> {
  if (entry.isResumable !== undefined) return;
  const { key, user_id, workspace_id, conversation_id, mode, content, isFromDraft } = entry;
  const { body = '', media_id, reply_to_id } = content;
  const names = {
    ...(media_id !== undefined && { media_id }),
    ...(reply_to_id !== undefined && { reply_to_id }),
    ...(entry.seen_reply_id !== undefined && { seen_reply_id: entry.seen_reply_id }),
  };
  if (isFromDraft) {
    const draft = openDraft({ workspace_id, conversation_id, kind: mode });
    entry.draft_version = await draft.pin(body, { key, kind: content.kind, ...names });
  }
  // Without the draft on the service, a reload could not know the text.
  const isFile = media_id !== undefined && body === '';
  entry.isResumable = isFromDraft ? entry.draft_version !== undefined : isFile;
  if (entry.isResumable) {
    const version = entry.draft_version !== undefined && { draft_version: entry.draft_version };
    const kept = { key, user_id, workspace_id, conversation_id, mode, kind: content.kind, ...names, ...version };
    entry.isResumable = keepSend(kept);
  }
}

function hold(entry: Entry, unseen: NewerReply): Promise<'send' | 'withdraw'> {
  change(entry.key, { state: 'held', unseen });
  return new Promise((resolve) => {
    decisions.set(entry.key, (decision) => {
      decisions.delete(entry.key);
      if (decision === 'send') markSeenIn(entry.conversation_id, unseen.message_id);
      markReplySeen(entry.conversation_id, unseen.message_id);
      change(entry.key, { state: 'sending' });
      resolve(decision);
    });
  });
}

/** What waits behind it, as the other files of one press, is not held for the same reply again. */
function markSeenIn(conversation_id: string, message_id: string): void {
  for (const entry of queues.get(conversation_id) ?? []) {
    if (entry.seen_reply_id !== undefined && entry.seen_reply_id < message_id) entry.seen_reply_id = message_id;
  }
}

/** Sends a held message after all, or takes it back into the composer. */
export function decide(key: string, decision: 'send' | 'withdraw'): void {
  decisions.get(key)?.(decision);
}

function post({ key, workspace_id, conversation_id, mode, content, seen_reply_id }: Entry): Promise<Message> {
  const base = `/workspaces/${workspace_id}/conversations/${conversation_id}`;
  const options = { idempotency_key: key };
  if (mode === 'note') return request<Message>('POST', `${base}/notes`, { body: content.body }, options);
  const headers = seen_reply_id !== undefined && { headers: { 'seen-reply-id': seen_reply_id || 'none' } };
  return request<Message>('POST', `${base}/messages`, content, { ...options, ...headers });
}

const shownAfterMs = 60_000;

/** The thread shows the message by its id. The bubble of a thread that nobody reads goes after a while. */
function accept({ key, conversation_id, mode }: Entry, { id }: Message): void {
  if (mode === 'reply') markReplySeen(conversation_id, id);
  change(key, { message_id: id });
  setTimeout(() => remove(key), shownAfterMs);
}

/** The refusal of one message takes back those after it: they would arrive without it. */
function refuse(queue: Entry[], failure: Failure): void {
  tellRefusal(queue[0]!.conversation_id, failure);
  giveBack(queue, failure);
}

/** Each text goes before the one that is given back already, and the files stand in their order. */
function giveBack(queue: Entry[], failure?: Failure): void {
  const entries = queue.splice(0);
  for (const entry of entries.toReversed()) {
    forgetSend(entry.key);
    remove(entry.key);
    if (entry.isFromDraft) openDraft({ ...entry, kind: entry.mode }).giveBack(entry.content.body ?? '');
  }
  for (const entry of entries) entry.onRefused?.(entry === entries[0] ? failure : undefined);
}

export function tellRefusal(conversation_id: string, failure: Failure | undefined): void {
  if (!failure && !refusals.get().has(conversation_id)) return;
  const next = new Map(refusals.get());
  if (failure) next.set(conversation_id, failure);
  else next.delete(conversation_id);
  refusals.set(next);
}

function change(key: string, next: Partial<PendingMessage>): void {
  pending.set(pending.get().map((message) => (message.key === key ? { ...message, ...next } : message)));
}

function remove(key: string): void {
  pending.set(pending.get().filter((message) => message.key !== key));
}

/** Waits, or until the network is back. */
function untilRetry(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms * (0.75 + Math.random() / 4));
    addEventListener('online', done);
  });
}

/** The conversation is erased, or hidden from the person: nothing that was written to it stays (danger C8). */
function drop(conversation_id: string): void {
  const entries = queues.get(conversation_id)?.splice(0) ?? [];
  if (entries.length > 0) tellDropped();
  for (const { key } of entries) {
    decisions.delete(key);
    forgetSend(key);
  }
  queues.delete(conversation_id);
  pending.set(pending.get().filter((message) => message.conversation_id !== conversation_id));
  tellRefusal(conversation_id, undefined);
  if (quotedStore.get()?.conversation_id === conversation_id) quotedStore.set(undefined);
}

listenToChanges({
  onChange(change) {
    if (change.kind === 'removed') drop(change.conversation_id);
  },
  onForget() {
    generation += 1;
    const left = [...queues.values()].flat();
    if (left[0]) void import('./stopped-sends.ts').then((stopped) => stopped.keepStopped(left, enqueue));
    queues.clear();
    decisions.clear();
    pending.set([]);
    refusals.set(new Map());
  },
});
onUnfinishedSend(({ kind: mode, ...target }, { body, version, send: { key, seen_reply_id, ...content } }) => {
  enqueue({
    ...target,
    ...{ key, mode, user_id: userIn(target.workspace_id) },
    ...{ isFromDraft: true, isResumable: true, draft_version: version },
    content: { ...content, body } as ConversationMessageSend,
    ...(seen_reply_id !== undefined && { seen_reply_id }),
  });
});
// A send that is kept goes on after a reload. The others would be lost.
addEventListener('beforeunload', (event) => {
  if ([...queues.values()].flat().some(({ isResumable }) => !isResumable)) event.preventDefault();
});
