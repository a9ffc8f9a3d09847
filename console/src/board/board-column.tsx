import { useId } from 'react';
import { type DropItem, GridList, isTextDropItem, useDragAndDrop } from 'react-aria-components';
import { conversations } from '../live/conversations.ts';
import type { Membership } from '../live/membership.ts';
import { sentenceOf } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { BoardCard } from './board-card.tsx';
import styles from './board-page.module.css';
import { moveCard, nameOf } from './move-card.ts';
import type { ShownStage } from './shown-stage.ts';
import type { ShownColumn } from './use-columns.ts';

interface Props {
  membership: Membership;
  stage: ShownStage;
  stages: readonly ShownStage[];
  column: ShownColumn;
  count: number | undefined;
  onMore: () => void;
  onRetry: () => void;
}

/** A card that is dragged carries the id of its conversation, and nothing for other programs. */
const dragged = 'application/x-majlis-conversation';

/** The conversations of one stage. Cards are dropped on it by the pointer and by the keyboard. */
export function BoardColumn({ membership, stage, stages, column, count, onMore, onRetry }: Props) {
  const { workspace_id } = membership;
  const title = useId();
  async function receive(items: readonly DropItem[]) {
    for (const item of items) {
      if (!isTextDropItem(item) || !item.types.has(dragged)) continue;
      const conversation = conversations.get(await item.getText(dragged));
      if (conversation) await moveCard(workspace_id, conversation, stage);
    }
  }
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [dragged]: String(key) })),
    acceptedDragTypes: [dragged],
    getDropOperation: () => 'move',
    // A card has its place by its last activity: it is dropped on the column, and not between two others.
    shouldAcceptItemDrop: () => false,
    onRootDrop: ({ items }) => void receive(items),
  });
  const more = count !== undefined && count > column.cards.length ? count : undefined;
  return (
    <section className={styles.column} aria-labelledby={title} data-stage={stage.id}>
      <header className={styles.columnHeader}>
        <h2 id={title}>
          {stage.emoji && <span aria-hidden>{stage.emoji}</span>}
          <bdi>{stage.name}</bdi>
        </h2>
        {count !== undefined && (
          <span className={styles.count} role="img" aria-label={t('board.count', { count })}>
            {count}
          </span>
        )}
      </header>
      {column.error !== undefined && !column.isLoaded && (
        <Notice kind="danger" action={<Button onPress={onRetry}>{t('app.retry')}</Button>}>
          {sentenceOf(column.error)}
        </Notice>
      )}
      <GridList
        className={styles.cards!}
        aria-label={stage.name}
        items={column.cards}
        dependencies={[stages]}
        dragAndDropHooks={dragAndDropHooks}
        renderEmptyState={() => <p className={styles.empty}>{t(column.isLoaded ? 'board.empty' : 'app.loading')}</p>}
      >
        {(conversation) => (
          <BoardCard
            membership={membership}
            conversation={conversation}
            name={nameOf(conversation)}
            stages={stages}
            stage={stage}
          />
        )}
      </GridList>
      {column.hasMore && (
        <Button look="quiet" onPress={onMore} {...(more && { 'aria-label': `${t('board.more')}: ${stage.name}` })}>
          {t('board.more')}
        </Button>
      )}
    </section>
  );
}
