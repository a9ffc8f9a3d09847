import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import { listenToChanges } from '../live/changes.ts';
import { request } from '../live/request.ts';
import type { Notices } from './notices.ts';

/** What may notify the person, by workspace: the service decides. */
interface Gathered {
  messages: Set<string>;
  handed_over: Set<string>;
}

// The tab that the person looks at comes first.
const waitMs = { focused: 150, visible: 450, hidden: 900 };
// Many messages within a moment are one question to the service.
const gatherMs = 250;
const mostAsked = 100;

const gathered = new Map<string, Gathered>();

export function startNotices(): void {
  listenToChanges({
    onChange: follow,
    onForget() {
      gathered.clear();
      void showing().then(({ withdrawAll }) => withdrawAll());
    },
  });
}

// Loaded with the first notification: the first view has none.
const showing = () => import('./show-notices.ts');
let hasShown = false;

function follow(change: LiveChange | LiveRemoval): void {
  const { kind, workspace_id, conversation_id, message_id, unread_count } = change as LiveChange;
  if (!conversation_id) return;
  switch (kind as LiveChange['kind'] | 'removed') {
    case 'message':
    case 'mention':
      void consider(workspace_id, conversation_id, message_id!, 'messages');
      break;
    case 'handover':
      void consider(workspace_id, conversation_id, conversation_id, 'handed_over');
      break;
    case 'read_mark':
      if (unread_count === 0) withdraw(conversation_id);
      break;
    case 'removed':
      withdraw(conversation_id);
      break;
  }
}

function withdraw(conversation_id: string): void {
  if (hasShown) void showing().then((shown) => shown.withdraw(conversation_id));
}

async function consider(workspace_id: string, conversation_id: string, id: string, of: keyof Gathered): Promise<void> {
  const wait = new Promise((resolve) => setTimeout(resolve, waitMs[place()]));
  const [{ mayTell }] = await Promise.all([import('./claim.ts'), wait]);
  // A conversation may be handed over again, and its claim then is of another moment.
  const name = of === 'messages' ? id : `${id}-${Math.floor(Date.now() / 60_000)}`;
  if (!(await mayTell(name, conversation_id))) return;
  let waiting = gathered.get(workspace_id);
  if (!waiting) {
    waiting = { messages: new Set(), handed_over: new Set() };
    gathered.set(workspace_id, waiting);
    setTimeout(() => void ask(workspace_id), gatherMs);
  }
  waiting[of].add(id);
}

function place(): keyof typeof waitMs {
  if (document.visibilityState !== 'visible') return 'hidden';
  return document.hasFocus() ? 'focused' : 'visible';
}

async function ask(workspace_id: string): Promise<void> {
  const { messages, handed_over } = gathered.get(workspace_id) ?? {};
  gathered.delete(workspace_id);
  if (!messages || !handed_over) return;
  const query = new URLSearchParams({
    message_ids: [...messages].slice(-mostAsked).join(),
    handed_over: [...handed_over].slice(-mostAsked).join(),
  });
  const answer = await request<Notices>('GET', `/workspaces/${workspace_id}/notices?${query}`).catch(() => undefined);
  if (!answer || answer.data.length === 0) return;
  hasShown = true;
  const { showNotices } = await showing();
  showNotices(workspace_id, answer);
}
