import type { Conversation } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import type { Membership } from '../app/shell.tsx';
import { followMs } from '../live/connection.ts';
import { request, sentenceOf } from '../live/request.ts';
import { serverNow } from '../live/session.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Badge } from '../parts/badge.tsx';
import { Empty, Loading } from '../parts/empty.tsx';
import { Notice } from '../parts/notice.tsx';
import { shortTime, t } from '../words/words.ts';
import styles from './inbox-page.module.css';

/** The conversations of a workspace, latest activity first. The list follows the service. */
export function InboxPage({ membership }: { membership: Membership }) {
  const base = `/workspaces/${membership.workspace_id}/conversations`;
  const { data, error, isPending } = useQuery({
    queryKey: [base],
    queryFn: () => request<{ data: Conversation[] }>('GET', base),
    refetchInterval: followMs,
  });
  return (
    <div className={styles.page}>
      <h1>{t('inbox.title')}</h1>
      {error && !data && <Notice kind="danger">{sentenceOf(error)}</Notice>}
      {isPending && <Loading label={t('app.loading')} />}
      {data?.data.length === 0 && (
        <Empty icon={<MessagesSquare aria-hidden />} title={t('inbox.empty')} hint={t('inbox.empty_hint')} />
      )}
      {data && data.data.length > 0 && (
        <ul className={styles.list}>
          {data.data.map((conversation) => (
            <Row key={conversation.id} conversation={conversation} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ conversation }: { conversation: Conversation }) {
  const { contact_name, contact_handle, status, controller, unread_count = 0, last_message_at } = conversation;
  const name = contact_name ?? contact_handle ?? t('inbox.unnamed');
  return (
    <li className={styles.row}>
      <Avatar name={name} />
      <div className={styles.text}>
        <bdi className={styles.name}>{name}</bdi>
        <bdi className={styles.handle} dir="ltr">
          {contact_handle}
        </bdi>
      </div>
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
    </li>
  );
}
