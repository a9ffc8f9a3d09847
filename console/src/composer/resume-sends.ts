import type { Session } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import { openDraft } from './drafts.ts';
import { forgetSend, type KeptSend, keptSends } from './kept-sends.ts';
import { enqueue } from './outbox.ts';

const resumed = new Set<string>();

/** Goes on with the sends that a reload interrupted. */
export async function resumeSends({ workspaces }: Session): Promise<void> {
  const own = new Set(workspaces.map(({ user_id }) => user_id));
  await resumeAll(
    keptSends().filter(({ key }) => !resumed.has(key)),
    own,
  );
}

async function resumeAll(sends: readonly KeptSend[], own: ReadonlySet<string>): Promise<void> {
  for (const { key } of sends) resumed.add(key);
  for (const kept of sends) {
    if (own.has(kept.user_id)) await resume(kept);
    else forgetSend(kept.key);
  }
}

async function resume({ draft_version, media_id, reply_to_id, mode, kind, ...names }: KeptSend): Promise<void> {
  const isFromDraft = draft_version !== undefined;
  const body = isFromDraft ? await openDraft({ ...names, kind: mode }).takeVersion(draft_version) : '';
  // The draft is gone, so the service has accepted the send; or the person has changed it and decides anew.
  if (body === undefined) return forgetSend(names.key);
  const content: ConversationMessageSend = {
    kind: kind as ConversationMessageSend['kind'],
    ...(body !== '' && { body }),
    ...(media_id !== undefined && { media_id }),
    ...(reply_to_id !== undefined && { reply_to_id }),
  };
  enqueue({ ...names, mode, content, isFromDraft, draft_version, isResumable: true });
}
