import type { Conversation } from '@majlis/contract';
import { createEntities } from './entities.ts';
import { createFollowed, type Followed, type FollowedState, useFollowed } from './followed.ts';
import { type Failure, request } from './request.ts';
import { useEntity } from './use-entity.ts';

export const conversations = createEntities<Conversation>();

/** What this page showed and may show no more, with its contact: it was erased, or the person lost the right. */
const removals = createEntities<{ id: string; contact_id: string }>();

export function removeConversation(id: string): void {
  const known = conversations.get(id);
  if (known) removals.put([{ id, contact_id: known.contact_id }]);
  removals.keep((one) => one === id);
  conversations.remove(id);
}

/** The contact of a conversation that is gone. */
export function useRemovedContact(id: string): string | undefined {
  return useEntity(removals, id)?.contact_id;
}

let isListed: (id: string) => boolean = () => false;

/** A list says which conversations it follows: each of them is as the service has it. */
export function trustList(isCurrentInList: (id: string) => boolean): void {
  isListed = isCurrentInList;
}

function isKeptByList(id: string): boolean {
  return conversations.get(id) !== undefined && isListed(id);
}

/** The conversations that pages show by themselves, each by its id. */
const single = new Map<string, Followed<string>>();

function singleConversation(workspace_id: string, id: string): Followed<string> {
  const known = single.get(id);
  if (known) return known;
  const read = async () => {
    const since = conversations.moment();
    const conversation = await request<Conversation>('GET', `/workspaces/${workspace_id}/conversations/${id}`).catch(
      (error: Failure) => {
        if (error.code === 'not_found') removeConversation(id);
        throw error;
      },
    );
    if (conversations.putRead([conversation], since).length > 0) followed.invalidate();
    return id;
  };
  const followed: Followed<string> = createFollowed(read, { isKeptElsewhere: () => isKeptByList(id) });
  single.set(id, followed);
  return followed;
}

/** A conversation by its id, whether a list has it or not. It follows the service. */
export function useConversation(
  workspace_id: string,
  id: string,
): FollowedState<Conversation> & { refetch: () => void } {
  const followed = singleConversation(workspace_id, id);
  const { error } = useFollowed(followed);
  return { data: useEntity(conversations, id), error, refetch: followed.refetch };
}

/** A change of one conversation, which its page reads again. */
export function conversationChanged(id: string): void {
  single.get(id)?.invalidate();
}

/** A conversation as the service told it at the moment. False where it must be read, because the person has changed it since. */
export function conversationTold(conversation: Conversation, since: number): boolean {
  const isPut = conversations.putTold(conversation, since);
  if (isPut && single.get(conversation.id)?.get().error) conversationChanged(conversation.id);
  return isPut;
}

/** The team has read it. Nothing else of it has changed, so nothing is read again. */
export function conversationRead(id: string, unread_count: number): void {
  const known = conversations.get(id);
  if (known) conversations.putChanged({ ...known, unread_count });
  else conversations.markChanged(id);
}

/** A change of the contact, whose name stands in its conversations. */
export function contactChanged(contact_id: string): void {
  for (const [id, followed] of single) if (conversations.get(id)?.contact_id === contact_id) followed.invalidate();
}

export function allConversationsChanged(): void {
  for (const followed of single.values()) followed.invalidate();
}

/** Whether a page shows the conversation by itself, or has done so. */
export function isShownAlone(id: string): boolean {
  return single.has(id);
}

export function forgetConversations(): void {
  conversations.clear();
  single.clear();
  removals.clear();
}
