import { MessagesSquare } from 'lucide-react';
import type { Membership } from '../app/shell.tsx';
import { conversationList, conversations } from '../live/conversations.ts';
import { useEntity } from '../live/entities.ts';
import { useFollowed } from '../live/followed.ts';
import { serverNow } from '../live/session.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { shortTime, t } from '../words/words.ts';
import styles from './inbox-page.module.css';

/** The conversations of a workspace, latest activity first. The list follows the service. */
export function InboxPage({ membership }: { membership: Membership }) {
  const list = conversationList(membership.workspace_id);
  const { data, error } = useFollowed(list);
  return (
    <Page title={t('inbox.title')}>
      <Loaded query={{ data, error, refetch: list.refetch }}>
        {(ids) =>
          ids.length === 0 ? (
            <Empty icon={<MessagesSquare aria-hidden />} title={t('inbox.empty')} hint={t('inbox.empty_hint')} />
          ) : (
            <List>
              {ids.map((id) => (
                <ConversationRow key={id} id={id} />
              ))}
            </List>
          )
        }
      </Loaded>
    </Page>
  );
}

function ConversationRow({ id }: { id: string }) {
  const conversation = useEntity(conversations, id);
  if (!conversation) return null;
  const { contact_name, contact_handle, status, controller, unread_count = 0, last_message_at } = conversation;
  const name = contact_name ?? contact_handle ?? t('inbox.unnamed');
  const end = (
    <>
      {status === 'closed' && <Badge>{t('inbox.closed')}</Badge>}
      {controller === 'bot' && <Badge kind="accent">{t('inbox.bot')}</Badge>}
      {unread_count > 0 && (
        <span className={styles.unread} title={t('inbox.unread', { count: unread_count })}>
          {unread_count}
        </span>
      )}
      {last_message_at && (
        <time className={styles.time} dateTime={last_message_at}>
          {shortTime(last_message_at, serverNow())}
        </time>
      )}
    </>
  );
  return (
    <Row start={<Avatar name={name} />} title={<bdi>{name}</bdi>} end={end}>
      <Soft>
        <bdi dir="ltr">{contact_handle}</bdi>
      </Soft>
    </Row>
  );
}
