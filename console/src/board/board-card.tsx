import type { Conversation } from '@majlis/contract';
import { Bot, EllipsisVertical, GripVertical } from 'lucide-react';
import { Button as AriaButton, GridListItem } from 'react-aria-components';
import { rows } from '../inbox/rows.ts';
import { useToday } from '../live/clock.ts';
import type { Membership } from '../live/membership.ts';
import { useEntity } from '../live/use-entity.ts';
import { useUserName } from '../live/users.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Menu } from '../parts/menu.tsx';
import { OneLine } from '../parts/one-line.tsx';
import { isolated } from '../words/isolated.ts';
import { previewText } from '../words/preview-text.ts';
import { shortTime, t } from '../words/words.ts';
import styles from './board-page.module.css';
import { moveCard } from './move-card.ts';
import type { ShownStage } from './shown-stage.ts';

interface Props {
  membership: Membership;
  conversation: Conversation;
  name: string;
  stage: ShownStage;
  stages: readonly ShownStage[];
}

/** A conversation on the board. It opens, is dragged, or moves by its menu. */
export function BoardCard({ membership, conversation, name, stage, stages }: Props) {
  const { workspace_id } = membership;
  const { id, contact_name, contact_handle, last_message_at, controller, assignee_id } = conversation;
  const row = useEntity(rows, id);
  const today = useToday();
  const assignee = useUserName(workspace_id, assignee_id);
  const unread = row?.own_unread_count ?? 0;
  const entries = stages.map(({ id: key, name: label, emoji }) => ({
    id: key,
    label: emoji ? `${emoji} ${label}` : label,
    isCurrent: key === stage.id,
  }));
  const shown = isolated(name);
  return (
    <GridListItem id={id} textValue={name} className={styles.card!} href={`/w/${workspace_id}/inbox/${id}`}>
      <AriaButton slot="drag" className={styles.grip!} aria-label={t('board.drag', { name: shown })}>
        <GripVertical size={16} aria-hidden />
      </AriaButton>
      <div className={styles.cardText}>
        <div className={styles.cardLine}>
          <strong className={styles.cardName} data-unread={unread > 0 || undefined}>
            <OneLine isCode={!contact_name && contact_handle !== undefined}>{name}</OneLine>
          </strong>
          {last_message_at && (
            <time className={styles.time} dateTime={last_message_at}>
              {shortTime(last_message_at, today)}
            </time>
          )}
        </div>
        <p className={styles.previewLine}>
          <bdi className={styles.preview}>{row?.preview && previewText(row.preview)}</bdi>
        </p>
        <div className={styles.cardLine}>
          <span className={styles.assignee}>
            {assignee ? <Avatar name={assignee} size="xs" /> : null}
            <bdi>{assignee_id ? assignee : t('board.nobody')}</bdi>
          </span>
          {controller === 'bot' && <Bot size={14} role="img" aria-label={t('inbox.bot')} />}
          {unread > 0 && <span className={styles.unread}>{unread}</span>}
        </div>
      </div>
      <Menu
        label={t('board.menu', { name: shown })}
        entries={entries}
        onAction={(key) => void moveCard(workspace_id, conversation, stages.find((one) => one.id === key)!)}
      >
        <EllipsisVertical size={16} aria-hidden />
      </Menu>
    </GridListItem>
  );
}
