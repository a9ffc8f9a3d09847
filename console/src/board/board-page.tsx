import { Columns3 } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';
import { useKnownStages } from '../live/directory.ts';
import { useFollowed } from '../live/followed.ts';
import type { Membership } from '../live/membership.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';
import { BoardColumn } from './board-column.tsx';
import styles from './board-page.module.css';
import { boardOf, noStage, type Whose } from './columns.ts';
import { useColumns } from './use-columns.ts';

/** The open conversations of a workspace by their stage. */
export function BoardPage({ membership }: { membership: Membership }) {
  const { workspace_id, user_id } = membership;
  const [path, navigate] = useLocation();
  const whose: Whose = new URLSearchParams(useSearch()).get('whose') === 'mine' ? 'mine' : 'all';
  const known = useKnownStages(workspace_id);
  const stages = known ?? [];
  const shown = [
    { id: noStage, name: t('panel.no_stage_short') },
    ...stages.map(({ id, name, emoji }) => ({ id, name, ...(emoji !== undefined && { emoji }) })),
  ];
  const board = boardOf(workspace_id, whose);
  const counts = useFollowed(board.counts).data?.stages;
  const columns = useColumns(
    board,
    shown.map(({ id }) => id),
    whose,
    user_id,
  );
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div>
          <h1>{t('nav.board')}</h1>
          <p className={styles.hint}>{t('board.hint')}</p>
        </div>
        <Choice
          label={t('board.whose')}
          isLabelHidden
          options={[
            { id: 'all', label: t('board.all') },
            { id: 'mine', label: t('board.mine') },
          ]}
          value={whose}
          onChange={(next) => navigate(next === 'mine' ? `${path}?whose=mine` : path)}
        />
      </header>
      {known?.length === 0 && (
        <Empty icon={<Columns3 aria-hidden />} title={t('board.no_stages')} hint={t('board.no_stages_hint')} />
      )}
      <div className={styles.columns}>
        {columns.map((column, index) => (
          <BoardColumn
            key={`${whose} ${column.stage_id}`}
            membership={membership}
            stage={shown[index]!}
            stages={shown}
            column={column}
            count={counts?.find(({ stage_id }) => stage_id === column.stage_id)?.count}
            onMore={() => board.columnOf(column.stage_id).readMore()}
            onRetry={() => board.columnOf(column.stage_id).refetch()}
          />
        ))}
      </div>
    </div>
  );
}
