import type { ThreadChange, ThreadMessage } from '@majlis/console-api';
import { isWord, t } from '../../words/words.ts';

/** The kinds of senders that are no people. */
export const bots: ReadonlySet<string> = new Set(['workflow', 'ai_agent', 'api_key', 'platform_agent']);

/** Who wrote the message, as its bubble says. */
export function nameOfSender(message: ThreadMessage, contact_name: string): string {
  if (message.direction === 'inbound') return contact_name;
  return message.actor_name ?? nameOfKind(message.actor_kind);
}

type Actor = Pick<ThreadChange, 'actor_kind'> & { actor_name?: string | undefined };

export function nameOfActor({ actor_name, actor_kind }: Actor, contact_name: string): string {
  if (actor_kind === 'api_key' && actor_name !== undefined) return t('thread.actor_of_key', { name: actor_name });
  return actor_name ?? (actor_kind === 'contact' ? contact_name : nameOfKind(actor_kind));
}

function nameOfKind(kind: string | undefined): string {
  const id = `thread.${kind}`;
  return (bots.has(kind ?? '') || kind === 'phone_app') && isWord(id)
    ? t(id)
    : kind === 'user'
      ? t('thread.someone')
      : t('app.name');
}

/** The kind of a message in a word, where its text is not shown. */
export function nameOfKindOfMessage(kind: string): string {
  const id = `thread.${kind}`;
  return isWord(id) ? t(id) : '';
}
