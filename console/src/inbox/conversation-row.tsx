import type { Message } from '@majlis/contract';
import {
  Bot,
  CalendarClock,
  Eye,
  File,
  Globe,
  Hourglass,
  Image,
  LayoutTemplate,
  Mail,
  MapPin,
  MessageCircle,
  MessageSquare,
  Mic,
  PenLine,
  Video,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useMinutesUntil, useToday } from '../live/clock.ts';
import { conversations } from '../live/conversations.ts';
import type { Membership } from '../live/membership.ts';
import { usePresences } from '../live/presences.ts';
import { useEntity } from '../live/use-entity.ts';
import { useUserName, useUsers } from '../live/users.ts';
import { Avatar } from '../parts/avatar.tsx';
import { DeliveryTick } from '../parts/delivery-tick.tsx';
import { OneLine } from '../parts/one-line.tsx';
import { describeWindow } from '../words/describe-window.ts';
import { isolated } from '../words/isolated.ts';
import { previewText } from '../words/preview-text.ts';
import { isWord, shortTime, t } from '../words/words.ts';
import { RowCheckbox } from './bulk/row-checkbox.tsx';
import styles from './conversation-row.module.css';
import { cancelPrefetch, prefetch, prefetchSoon } from './prefetch.ts';
import { type Row, rows } from './rows.ts';
import { type View, viewPath } from './views.ts';

interface Props {
  id: string;
  membership: Membership;
  view: View;
  isOpen: boolean;
  /** The keys move from here. */
  isCursor: boolean;
  onFocus: (id: string) => void;
}

/** A conversation in the list. A change of another one draws it not again. */
export const ConversationRow = memo(function ConversationRow({
  id,
  membership,
  view,
  isOpen,
  isCursor,
  onFocus,
}: Props) {
  const conversation = useEntity(conversations, id);
  const row = useEntity(rows, id);
  const today = useToday();
  // It is gone. Its place stays until the list may move.
  if (!conversation) return <div className={styles.row} />;
  const { contact_name, contact_handle, status, controller, assignee_id, last_message_at, channel_type, tags } =
    conversation;
  const name = contact_name ?? contact_handle ?? t('inbox.unnamed');
  const unread = row?.own_unread_count ?? 0;
  return (
    <div className={styles.place}>
      <Link
        href={viewPath(membership.workspace_id, view, id)}
        className={styles.row!}
        data-id={id}
        data-unread={unread > 0 || undefined}
        aria-current={isOpen ? 'true' : undefined}
        tabIndex={isCursor ? 0 : -1}
        onFocus={() => {
          onFocus(id);
          prefetchSoon(membership.workspace_id, id);
        }}
        onPointerMove={() => prefetchSoon(membership.workspace_id, id)}
        onPointerDown={() => prefetch(membership.workspace_id, id)}
        onPointerLeave={cancelPrefetch}
      >
        <Avatar name={name}>
          <span className={styles.channel}>{channelIcons[channel_type] ?? channelIcons.chatapp}</span>
        </Avatar>
        <span className={styles.first}>
          <span className={styles.name}>
            <OneLine isCode={!contact_name && contact_handle !== undefined}>{name}</OneLine>
          </span>
          {tags.length > 0 && <Tags tags={tags} />}
        </span>
        {last_message_at && (
          <time className={styles.time} dateTime={last_message_at}>
            {shortTime(last_message_at, today)}
          </time>
        )}
        <span className={styles.line}>
          <span className={styles.second}>
            <SecondLine id={id} membership={membership} row={row} />
          </span>
          <span className={styles.marks}>
            <span className={styles.hidden}>{nameOfChannel(channel_type)}</span>
            <Viewers id={id} membership={membership} />
            {controller === 'bot' && <Mark icon={<Bot size={14} aria-hidden />} label={t('inbox.bot')} />}
            {status === 'open' && <WindowLeft until={conversation.window_expires_at} />}
            {status === 'closed' && <span className={styles.state}>{t('inbox.closed')}</span>}
            {assignee_id && assignee_id !== membership.user_id && (
              <Assignee workspace_id={membership.workspace_id} user_id={assignee_id} />
            )}
            {unread > 0 && (
              <span className={styles.unread}>
                <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
                <span className={styles.hidden}>{t('inbox.unread', { count: unread })}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
      <RowCheckbox id={id} name={name} />
    </div>
  );
});

/** A row has room for few. */
const mostTags = 4;

/** The tags that fit on the line beside the name. */
function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className={styles.tags}>
      {tags.slice(0, mostTags).map((tag) => (
        <bdi key={tag} className={styles.tag}>
          {tag}
        </bdi>
      ))}
    </span>
  );
}

const channelIcons: Record<string, ReactNode> = {
  chatapp: <MessageCircle size={11} strokeWidth={2.5} aria-hidden />,
  webchat: <Globe size={11} strokeWidth={2.5} aria-hidden />,
  email: <Mail size={11} strokeWidth={2.5} aria-hidden />,
  sms: <MessageSquare size={11} strokeWidth={2.5} aria-hidden />,
};

function nameOfChannel(type: string): string {
  const word = `views.channel_${type}`;
  return isWord(word) ? t(word) : type;
}

const windowShownMinutes = 120;

/** How long a free reply is possible, once that is less than two hours. */
function WindowLeft({ until }: { until: string | undefined }) {
  const minutes = useMinutesUntil(until);
  if (minutes === undefined || minutes < 0 || minutes >= windowShownMinutes) return null;
  return (
    <span className={styles.window} title={describeWindow(minutes)}>
      <Hourglass size={12} aria-hidden />
      <span aria-hidden>{t('inbox.window_left', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })}</span>
      <span className={styles.hidden}>{describeWindow(minutes)}</span>
    </span>
  );
}

/** An icon with its word for those who do not see it. */
function Mark({ icon, label }: { icon: ReactNode; label: string }) {
  return (
    <span className={styles.mark} title={label}>
      {icon}
      <span className={styles.hidden}>{label}</span>
    </span>
  );
}

function Assignee({ workspace_id, user_id }: { workspace_id: string; user_id: string }) {
  const name = useUsers(workspace_id).find(({ id }) => id === user_id)?.name;
  if (!name) return null;
  return (
    <span className={styles.mark} title={t('inbox.assigned_to', { name: isolated(name) })}>
      <Avatar name={name} size="xs" />
      <span className={styles.hidden}>{t('inbox.assigned_to', { name: isolated(name) })}</span>
    </span>
  );
}

function Viewers({ id, membership }: { id: string; membership: Membership }) {
  const present = usePresences(membership, id);
  const users = useUsers(membership.workspace_id);
  const names = present.flatMap(({ user_id }) => users.find((user) => user.id === user_id)?.name ?? []);
  if (names.length === 0) return null;
  return (
    <Mark icon={<Eye size={14} aria-hidden />} label={t('inbox.viewing', { names: names.map(isolated).join(', ') })} />
  );
}

/** Who types; or that a draft or a scheduled message waits, with the last message. */
function SecondLine({ id, membership, row }: { id: string; membership: Membership; row: Row | undefined }) {
  const typing = usePresences(membership, id).find((presence) => presence.typing);
  const users = useUsers(membership.workspace_id);
  if (typing) {
    const name = users.find((user) => user.id === typing.user_id)?.name ?? t('inbox.colleague');
    return <span className={styles.typing}>{t('inbox.typing', { name: isolated(name) })}</span>;
  }
  return (
    <>
      {row?.has_draft && (
        <span className={styles.draft}>
          <PenLine size={13} aria-hidden /> {t('inbox.draft')}
        </span>
      )}
      {row?.has_scheduled && <Mark icon={<CalendarClock size={14} aria-hidden />} label={t('inbox.scheduled')} />}
      {row?.preview && <Preview preview={row.preview} membership={membership} />}
    </>
  );
}

const kindIcons: Partial<Record<Message['kind'], ReactNode>> = {
  image: <Image size={14} aria-hidden />,
  video: <Video size={14} aria-hidden />,
  voice: <Mic size={14} aria-hidden />,
  file: <File size={14} aria-hidden />,
  location: <MapPin size={14} aria-hidden />,
  template: <LayoutTemplate size={14} aria-hidden />,
};

function Preview({ preview, membership }: { preview: NonNullable<Row['preview']>; membership: Membership }) {
  const { direction, kind, status } = preview;
  return (
    <span className={styles.preview}>
      {direction === 'outbound' && (
        <>
          {status && <DeliveryTick status={status} />}
          <Author preview={preview} membership={membership} />
        </>
      )}
      {kindIcons[kind as Message['kind']]}
      <bdi className={styles.body}>{previewText(preview)}</bdi>
    </span>
  );
}

/** Which of us wrote: the customer has the name of the row. */
function Author({ preview: { actor_kind, user_id }, membership }: Parameters<typeof Preview>[0]) {
  const name = useUserName(membership.workspace_id, user_id);
  if (user_id === membership.user_id) return <span className={styles.author}>{t('inbox.us')}</span>;
  const kind = `thread.${actor_kind}`;
  const shown = name?.trim().split(/\s+/u)[0] ?? (actor_kind !== 'user' && isWord(kind) ? t(kind) : undefined);
  if (shown === undefined) return null;
  return (
    <span className={styles.author}>
      <bdi>{shown}</bdi>:
    </span>
  );
}
