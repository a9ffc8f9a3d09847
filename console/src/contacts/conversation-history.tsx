import type { Conversation } from '@majlis/contract';
import { Link } from 'wouter';
import { useToday } from '../live/clock.ts';
import { useChannelName } from '../live/directory.ts';
import { useLiveQuery } from '../live/live-query.ts';
import { Badge } from '../parts/badge.tsx';
import { shortTime, t } from '../words/words.ts';
import type { ContactAddress } from './contact-data.ts';
import styles from './contact-panel.module.css';

interface Props {
  address: ContactAddress;
  /** Not listed, because it is shown already. */
  conversation_id: string | undefined;
}

/** The other conversations of the contact: on other channels, and closed ones. */
export function ConversationHistory({ address: { workspace_id, contact_id }, conversation_id }: Props) {
  const { data } = useLiveQuery<{ data: Conversation[] }>(
    `/workspaces/${workspace_id}/conversations?contact_id=${contact_id}&limit=20`,
    ({ kind, ...change }) =>
      kind === 'conversation' || (kind === 'contact' && 'contact_id' in change && change.contact_id === contact_id),
  );
  const others = data?.data.filter(({ id }) => id !== conversation_id) ?? [];
  if (data && others.length === 0)
    return (
      <p className={styles.soft}>
        {t(conversation_id === undefined ? 'contact.no_conversations' : 'contact.no_history')}
      </p>
    );
  return (
    <ul className={styles.history}>
      {others.map((conversation) => (
        <li key={conversation.id}>
          <Past workspace_id={workspace_id} conversation={conversation} />
        </li>
      ))}
    </ul>
  );
}

function Past({ workspace_id, conversation }: { workspace_id: string; conversation: Conversation }) {
  const { id, channel_id, channel_type, status, last_message_at } = conversation;
  const channel = useChannelName(workspace_id, channel_id) ?? channel_type;
  const today = useToday();
  return (
    <Link href={`/w/${workspace_id}/inbox/${id}${location.search}`} className={styles.past!}>
      <bdi>{channel}</bdi>
      <Badge kind={status === 'open' ? 'accent' : 'plain'}>
        {t(status === 'open' ? 'contact.history_open' : 'contact.history_closed')}
      </Badge>
      {last_message_at && <time dateTime={last_message_at}>{shortTime(last_message_at, today)}</time>}
    </Link>
  );
}
