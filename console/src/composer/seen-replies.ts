/** The newest reply to each open conversation that the person has seen. Ids grow with time. */
const seen = new Map<string, string>();

export function seenReplyOf(conversation_id: string): string | undefined {
  return seen.get(conversation_id);
}

export function markReplySeen(conversation_id: string, message_id: string | undefined): void {
  const known = seen.get(conversation_id) ?? '';
  seen.set(conversation_id, message_id !== undefined && message_id > known ? message_id : known);
}

export function forgetSeenReply(conversation_id: string): void {
  seen.delete(conversation_id);
}
