import { RefreshCw } from 'lucide-react';
import { isOutdatedStore, isPartMissingStore } from '../live/outdated.ts';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import styles from './shell.module.css';

/** A page of an older version may misunderstand the service (danger C10). */
export function OutdatedBar() {
  const isOutdated = useStore(isOutdatedStore);
  const isPartMissing = useStore(isPartMissingStore);
  if (!isOutdated && !isPartMissing) return null;
  return (
    <div className={styles.notice} role="status">
      <RefreshCw size={16} aria-hidden />
      <p>{t(isOutdated ? 'app.new_version' : 'app.part_missing_hint')}</p>
      <Button onPress={() => location.reload()}>{t('app.reload')}</Button>
    </div>
  );
}
