import { request } from '../live/request.ts';
import { mayTell } from './claim.ts';
import type { Notices } from './notices.ts';

/** What may notify the person, by workspace: the service decides. */
interface Gathered {
  messages: Set<string>;
  handed_over: Set<string>;
}

export interface Happened {
  workspace_id: string;
  conversation_id: string;
  /** Of the message, or of the conversation that was handed over. */
  id: string;
  of: keyof Gathered;
}

// The tab that the person looks at comes first.
const waitMs = { focused: 150, visible: 450, hidden: 900 };
// Many messages within a moment are one question to the service.
const gatherMs = 250;
const mostAsked = 100;

const gathered = new Map<string, Gathered>();

// Loaded with the first notification.
const showing = () => import('./show-notices.ts');
let hasShown = false;

/** Tells the person of what happened, where this tab is the one to do so and the service has a notice of it. */
export async function considerNotice({ workspace_id, conversation_id, id, of }: Happened): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, waitMs[place()]));
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

export function withdrawNotice(conversation_id: string): void {
  if (hasShown) void showing().then((shown) => shown.withdraw(conversation_id));
}

/** Another person signs in, or nobody. */
export function forgetNotices(): void {
  gathered.clear();
  void showing().then(({ withdrawAll }) => withdrawAll());
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
