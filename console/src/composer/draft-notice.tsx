import { GitCompareArrows, TriangleAlert } from 'lucide-react';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
import type { OpenDraft } from './drafts.ts';

/** The draft was changed elsewhere meanwhile, or cannot be saved. */
export function DraftNotice({ draft }: { draft: OpenDraft }) {
  const { other, phase } = useStore(draft.store);
  if (other === undefined) {
    if (phase !== 'failed') return null;
    return (
      <div className={styles.notice} data-kind="danger" role="alert">
        <TriangleAlert size={18} aria-hidden />
        <p>{t('composer.not_saved')}</p>
      </div>
    );
  }
  return (
    <div className={styles.notice} data-kind="warning" role="alert">
      <GitCompareArrows size={18} aria-hidden />
      <div className={styles.other}>
        <p>{t('composer.other_draft')}</p>
        <blockquote dir="auto" aria-label={t('composer.other_draft_text')}>
          {other}
        </blockquote>
      </div>
      <Button onPress={() => draft.choose('own')}>{t('composer.other_draft_keep')}</Button>
      <Button onPress={() => draft.choose('other')}>{t('composer.other_draft_take')}</Button>
    </div>
  );
}
