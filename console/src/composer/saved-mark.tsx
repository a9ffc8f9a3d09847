import { FileCheck, FilePen } from 'lucide-react';
import { useStore } from '../live/store.ts';
import { t } from '../words/words.ts';
import styles from './composer.module.css';
import type { openDraft } from './drafts.ts';

/** Whether what is written would be there on another device. A narrow composer shows the icon alone. */
export function SavedMark({ draft }: { draft: ReturnType<typeof openDraft> }) {
  const { text, phase } = useStore(draft.store);
  const isShown = text !== '' && phase !== 'failed';
  const isSaved = phase === 'saved';
  const Icon = isSaved ? FileCheck : FilePen;
  return (
    <p className={styles.saved} role="status">
      {isShown && <Icon size={16} aria-hidden />}
      {isShown && <span>{t(isSaved ? 'composer.saved' : 'composer.unsaved')}</span>}
    </p>
  );
}
