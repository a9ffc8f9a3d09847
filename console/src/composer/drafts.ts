import type { Draft, DraftKind, DraftSend } from '@majlis/console-api';
import { listenToChanges } from '../live/changes.ts';
import { createStore, type Store } from '../live/create-store.ts';
import { readOpening } from '../live/opening.ts';
import { Failure, isPassing, request } from '../live/request.ts';
import { serverNow, sessionStore, userIn } from '../live/session.ts';

export interface DraftState {
  text: string;
  /** `failed`: the service refuses to keep it, so it stands in this tab alone. */
  phase: 'loading' | 'saved' | 'unsaved' | 'failed';
  /** What another tab or machine wrote meanwhile. Nothing is saved until the person chooses. */
  other?: string;
}

export interface DraftTarget {
  workspace_id: string;
  conversation_id: string;
  kind: DraftKind;
}

/** What a person has written and not sent. It is saved on the service as they write, so that no browser loses it. */
export interface OpenDraft {
  readonly store: Store<DraftState>;
  write(text: string): void;
  /** Of two versions, keeps the one of this tab or the other one. */
  choose(version: 'own' | 'other'): void;
  /** Takes the text for a send. Nothing is saved until the send is released, so the sent text stays on the service. */
  take(): string;
  /** Takes the text of a send that a reload interrupted, if the service still has this version of it. */
  takeVersion(version: string): Promise<string | undefined>;
  /** Saves the text that is taken, with the key of its send, and answers its version. Undefined where the service keeps another text. */
  pin(text: string, send?: DraftSend): Promise<string | undefined>;
  /** The send is accepted: with that, the service has deleted its draft. */
  release(version: string | undefined): Promise<void>;
  /** The text has gone elsewhere, as into a scheduled message: its draft is deleted. */
  discard(version: string | undefined): Promise<void>;
  /** The send is refused: its text goes back before what was written since. */
  giveBack(text: string): void;
  reread(): void;
  saveNow(): void;
  /** What the service has not, as far as this tab knows. */
  unsaved(): Unsaved | undefined;
}

/** Texts whose saving the end of a session prevented, and the version that they were written over. */
interface Unsaved {
  user_id: string;
  /** Those of sends that have not begun, then what stood in the field. */
  texts: string[];
  version: string | undefined;
}

// A pause in the typing is not awaited: what was typed is on the service within a second.
const saveMs = 500;
const afterFailureMs = 2_000;
/** Another tab that still sends needs less. */
const otherTabMs = 15_000;
/** An older send is not sent by itself any more: it stands in the field again. */
const resumedWithinMs = 10 * 60_000;

let resume: (target: DraftTarget, draft: Unfinished) => void = () => {};

/** Sets what goes on with a send that another browser of the person began, and may not have ended. */
export function onUnfinishedSend(work: typeof resume): void {
  resume = work;
}

type Unfinished = Draft & { send: DraftSend };

function isUnfinished(draft: Draft | undefined): draft is Unfinished {
  return draft?.send !== undefined && serverNow() - Date.parse(draft.updated_at) < resumedWithinMs;
}

const drafts = new Map<string, OpenDraft>();

export function openDraft(target: DraftTarget): OpenDraft {
  const name = `${target.conversation_id} ${target.kind}`;
  const known = drafts.get(name);
  if (known) return known;
  const kept = unsaved.get(name);
  unsaved.delete(name);
  // One of a session that is over saves nothing: whoever signs in next has drafts of their own.
  const isOpen = () => drafts.get(name) === draft;
  const draft: OpenDraft = createDraft(
    target,
    kept?.user_id === userIn(target.workspace_id) ? kept : undefined,
    isOpen,
  );
  drafts.set(name, draft);
  return draft;
}

/** By the names of drafts, until the same person has signed in again. Memory alone holds it. */
const unsaved = new Map<string, Unsaved>();

function keepUnsaved(): void {
  unsaved.clear();
  const state = sessionStore.get();
  // Whoever signs out leaves nothing behind.
  if (state.type !== 'signed_out' || !state.wasSignedIn) return;
  for (const [name, draft] of drafts) {
    const text = draft.unsaved();
    if (text) unsaved.set(name, text);
  }
}

listenToChanges({
  onChange({ kind, ...change }) {
    // Nothing of a conversation stays that is erased, or hidden from the person by now (danger C8).
    if (kind === 'removed') {
      for (const mode of ['reply', 'note']) {
        for (const known of [drafts, unsaved]) known.delete(`${change.conversation_id} ${mode}`);
      }
    }
    if (kind !== 'reply_draft' && kind !== 'note_draft') return;
    drafts.get(`${change.conversation_id} ${kind === 'reply_draft' ? 'reply' : 'note'}`)?.reread();
  },
  onGap() {
    for (const draft of drafts.values()) draft.reread();
  },
  onForget() {
    keepUnsaved();
    drafts.clear();
  },
});
// A page may close at any moment after it was hidden.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') for (const draft of drafts.values()) draft.saveNow();
});

function createDraft(
  { workspace_id, conversation_id, kind }: DraftTarget,
  kept: Unsaved | undefined,
  isOpen: () => boolean,
): OpenDraft {
  const path = `/workspaces/${workspace_id}/conversations/${conversation_id}/drafts`;
  const user_id = userIn(workspace_id);
  const store = createStore<DraftState>({ text: kept?.texts.join('\n') ?? '', phase: 'loading' });
  /** As the service has it. */
  let stored: Draft | undefined;
  let sends = 0;
  /** The texts of sends that the service has not been asked to keep. */
  let taken: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** One request after the other: each names the version of the one before. */
  let last: Promise<unknown> = Promise.resolve();
  const loaded = load();

  const settle = (text: string) => {
    taken = taken.filter((_, n) => n !== taken.indexOf(text));
  };
  const isStored = (text: string) => (stored ? text === stored.body && stored.send === undefined : text.trim() === '');
  const change = (next: Partial<DraftState>) => store.set({ ...store.get(), ...next });

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  function ofKind({ data }: { data: Draft[] }): Draft | undefined {
    return data.find((draft) => draft.kind === kind);
  }

  async function readStored(): Promise<Draft | undefined> {
    return ofKind(await request('GET', path));
  }

  async function load(): Promise<void> {
    for (;;) {
      try {
        stored = ofKind({ data: (await readOpening(workspace_id, conversation_id)).drafts });
        break;
      } catch (error) {
        if (!(error instanceof Failure) || !isPassing(error)) return change({ phase: 'failed' });
        await new Promise((resolve) => setTimeout(resolve, afterFailureMs));
      }
    }
    if (sends === 0 && isUnfinished(stored)) {
      const { body } = stored;
      // The answer that it is kept may be what the end of the session prevented.
      return goOn(stored, kept?.texts.filter((text) => text !== body).join('\n'));
    }
    const { text } = store.get();
    if (text === '' && sends === 0) return show(stored);
    const isNewer = stored?.send !== undefined || stored?.version !== kept?.version;
    if (stored && isNewer && stored.body !== text && sends === 0) change({ phase: 'unsaved', other: stored.body });
    else change({ phase: 'unsaved' });
    schedule();
  }

  function show(draft: Draft | undefined): void {
    store.set({ text: draft?.body ?? '', phase: 'saved' });
  }

  /** Goes on with a send: its key is known, so it is sent once whatever became of it. */
  function goOn(draft: Unfinished, text = ''): void {
    sends += 1;
    store.set({ text, phase: 'saved' });
    resume({ workspace_id, conversation_id, kind }, draft);
  }

  /** Leaves a send to the tab that has begun it, unless that tab is gone. */
  function watch(draft: Unfinished): void {
    show(undefined);
    setTimeout(() => {
      const isLeft = stored?.version === draft.version && sends === 0 && store.get().text === '';
      if (isLeft) goOn(draft);
    }, otherTabMs);
  }

  function schedule(ms = stored?.send ? otherTabMs : saveMs): void {
    const { text, phase, other } = store.get();
    if (!isOpen() || sends > 0 || other !== undefined || phase === 'loading' || phase === 'failed') return;
    if (isStored(text)) {
      if (phase !== 'saved') change({ phase: 'saved' });
      return;
    }
    timer ??= setTimeout(() => void save(), ms);
  }

  async function save(keepalive = false): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    let nextMs = saveMs;
    await inTurn(async () => {
      const { text, other } = store.get();
      if (!isOpen() || sends > 0 || other !== undefined || isStored(text)) return;
      try {
        await put(text, { keepalive });
      } catch (error) {
        nextMs = afterFailureMs;
        await recover(error);
      }
    });
    schedule(nextMs);
  }

  async function put(text: string, { keepalive = false, send }: { keepalive?: boolean; send?: DraftSend } = {}) {
    const version = stored?.version;
    if (text.trim() === '') {
      await request('DELETE', `${path}/${kind}?version=${version}`, undefined, { keepalive });
      stored = undefined;
    } else {
      stored = await request<Draft>(
        'PUT',
        `${path}/${kind}`,
        { body: text, ...(version && { version }), ...(send && { send }) },
        { keepalive },
      );
    }
    change({ phase: store.get().text === text ? 'saved' : 'unsaved' });
  }

  /** Until the service has answered: a text that came back into the field would be sent twice. */
  async function deleteTaken(version: string): Promise<void> {
    for (;;) {
      try {
        return await request('DELETE', `${path}/${kind}?version=${version}`);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        // Another version is not the taken text, and one that is gone needs no deletion.
        if (!isPassing(error)) return;
        await new Promise((resolve) => setTimeout(resolve, afterFailureMs));
      }
    }
  }

  async function release(version: string | undefined): Promise<void> {
    await inTurn(async () => {
      if (stored?.version === version) stored = undefined;
      sends -= 1;
    });
    if (sends > 0) return;
    // What another tab wrote meanwhile is shown, not overwritten.
    if (stored && store.get().text === '') show(stored);
    else schedule();
  }

  async function recover(error: unknown): Promise<void> {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== 'draft_outdated') return change({ phase: isPassing(error) ? 'unsaved' : 'failed' });
    stored = await readStored().catch(() => stored);
    const { text } = store.get();
    // A draft that was sent or deleted elsewhere leaves nothing to choose from: the next save makes a new one.
    if (stored && stored.body !== text) change({ phase: 'unsaved', other: stored.body });
  }

  return {
    store,
    write(text) {
      const { phase } = store.get();
      change({ text, phase: phase === 'loading' ? 'loading' : 'unsaved' });
      schedule();
    },
    choose(version) {
      const { text, other } = store.get();
      store.set({ text: version === 'other' ? (other ?? text) : text, phase: 'unsaved' });
      schedule(0);
    },
    take() {
      const { text } = store.get();
      sends += 1;
      taken.push(text);
      change({ text: '', phase: 'saved' });
      return text;
    },
    async takeVersion(version) {
      sends += 1;
      await loaded;
      const { text } = store.get();
      // More than one send: this tab goes on with it already.
      if (sends === 1 && stored?.version === version && (text === '' || text === stored.body)) {
        change({ text: '', phase: 'saved' });
        return stored.body;
      }
      sends -= 1;
      if (sends === 0 && text === '') show(stored);
      return undefined;
    },
    async pin(text, send) {
      await loaded;
      return inTurn(async () => {
        if (!isOpen()) throw new Failure('signed_out');
        try {
          await put(text, send ? { send } : {});
          settle(text);
          return stored?.version;
        } catch (error) {
          if (!(error instanceof Failure) || isPassing(error) || error.code === 'signed_out') throw error;
          settle(text);
          stored = error.code === 'draft_outdated' ? await readStored() : stored;
          return undefined;
        }
      });
    },
    release,
    async discard(version) {
      if (version !== undefined) await inTurn(() => deleteTaken(version));
      await release(version);
    },
    giveBack(text) {
      sends -= 1;
      settle(text);
      const written = store.get().text;
      change({ text: [text, written].filter(Boolean).join('\n'), phase: 'unsaved' });
      schedule(0);
    },
    reread() {
      void inTurn(async () => {
        const { text, phase, other } = store.get();
        const isClean = sends === 0 && phase === 'saved' && other === undefined;
        if (!isClean) return;
        const next = await readStored().catch(() => stored);
        const isStillClean = sends === 0 && store.get().text === text;
        if (!isStillClean || next?.version === stored?.version) return;
        stored = next;
        if (isUnfinished(next)) watch(next);
        else show(next);
      });
    },
    saveNow() {
      if (store.get().phase === 'unsaved') void save(true);
    },
    unsaved() {
      const { text, phase } = store.get();
      const isWritten = phase !== 'loading' && !(sends > 0 ? text.trim() === '' : isStored(text));
      const texts = [...taken, ...(isWritten ? [text] : [])];
      return texts.length > 0 ? { user_id, texts, version: stored?.version } : undefined;
    },
  };
}
