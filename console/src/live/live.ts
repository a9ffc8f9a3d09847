import type { LiveChange, LiveEvent, LiveRemoval } from '@majlis/console-api';
import { tellChange, tellForget, tellGap, tellRow } from './changes.ts';
import { type Connection, recordConnection } from './connection.ts';
import {
  allConversationsChanged,
  contactChanged,
  conversationChanged,
  conversationRead,
  conversations,
  conversationTold,
  forgetConversations,
  removeConversation,
} from './conversations.ts';
import type { Following, Told } from './follow-stream.ts';
import { gatherRows } from './gather-rows.ts';
import { compareVersion } from './outdated.ts';
import { loadSession, recordServerTime, type SessionState, serverNow, sessionStore } from './session.ts';
import { followWhileVisible, shareStream } from './share-stream.ts';

let following: (Following & { person_id: string }) | undefined;
let lastId: string | undefined;

/** Follows the live stream while a person with a workspace is signed in. */
export function startLive(): void {
  sessionStore.subscribe(() => adapt(sessionStore.get()));
  adapt(sessionStore.get());
}

function adapt(state: SessionState): void {
  const session = state.type === 'signed_in' && state.session.workspaces.length > 0 ? state.session : undefined;
  if (following && session?.person.id !== following.person_id) {
    following.stop();
    following = undefined;
    forget();
  }
  if (!session) return;
  if (following) return;
  // Everything is read after the session, so the changes since then are all that can be missing.
  lastId = session.live_id;
  following = { person_id: session.person.id, ...follow(session.person.id) };
}

/** Connects at once, where the stream waits to connect again. */
export function retryConnection(): void {
  following?.retry();
}

function follow(person_id: string): Following {
  const listener = {
    lastId: () => lastId,
    tell: receive,
    connect: (connection: Connection) => recordConnection(connection, serverNow()),
    end: () => void loadSession(),
  };
  // Browsers have locks over HTTPS and on this machine alone.
  return 'locks' in navigator ? shareStream(`majlis-${person_id}`, listener) : followWhileVisible(listener);
}

/** Nothing of the person who leaves is shown to the next one. */
function forget(): void {
  lastId = undefined;
  rows.clear();
  forgetConversations();
  tellForget();
}

function receive({ previous, id, rows: told = [], event }: Told): void {
  const isGap = previous === undefined || (lastId !== undefined && previous !== lastId);
  lastId = id;
  if (isGap) everythingChanged();
  for (const row of told) rows.take({ row, since: conversations.moment() });
  if (event) apply(event);
}

const rows = gatherRows((told) => {
  for (const { row, since } of told) {
    const { workspace_id, conversation_id } = row;
    if (conversationTold(row.row.conversation, since)) tellRow(row, since);
    else applyAndTell({ kind: 'conversation', workspace_id, conversation_id });
  }
});

function apply(event: LiveEvent): void {
  switch (event.kind) {
    case 'ended':
    // Comes with the change behind it.
    case 'row':
      break;
    case 'ready':
      recordServerTime(event.now);
      compareVersion(event.version);
      compareWithSession(event.workspaces);
      break;
    case 'reset':
      everythingChanged();
      void loadSession();
      break;
    default:
      // What comes behind a row must not be shown before it. What is in a row, and who is where, changes no row.
      if (event.kind !== 'presence' && event.kind !== 'typing' && !('in_row' in event)) rows.flush();
      // That the team has read a conversation is in the conversation alone.
      if (event.kind === 'conversation' && event.unread_count !== undefined) {
        conversationRead(event.conversation_id!, event.unread_count);
        break;
      }
      applyAndTell(event);
  }
}

function applyAndTell(event: LiveChange | LiveRemoval): void {
  applyChange(event);
  tellChange(event);
}

/** Those who show what these change listen themselves. */
type HeardByItsPages =
  | 'status'
  | 'mention'
  | 'handover'
  | 'typing'
  | 'contact_import'
  | 'broadcast'
  | 'channel'
  | 'template'
  | 'member'
  | 'presence'
  | 'read_mark'
  | 'reply_draft'
  | 'note_draft'
  | 'scheduled_message'
  | 'proposal'
  | 'notification_settings'
  | 'saved_view'
  | 'canned_reply'
  | 'settings';

function applyChange(event: LiveChange | LiveRemoval): void {
  switch (event.kind) {
    case 'removed':
      removeConversation(event.conversation_id);
      break;
    case 'conversation':
    case 'assignment':
    case 'message':
    case 'note':
    case 'contact':
      if (event.in_row) break;
      if (event.contact_id) contactChanged(event.contact_id);
      if (event.conversation_id) conversationChanged(event.conversation_id);
      break;
    default:
      event.kind satisfies HeardByItsPages;
  }
}

function compareWithSession(workspaces: readonly string[]): void {
  const state = sessionStore.get();
  if (state.type !== 'signed_in') return;
  const known = state.session.workspaces.map(({ workspace_id }) => workspace_id);
  if (known.toSorted().join() !== workspaces.toSorted().join()) void loadSession();
}

function everythingChanged(): void {
  rows.flush();
  tellGap();
  allConversationsChanged();
}
