import { WifiOff } from 'lucide-react';
import { offlineSinceStore } from '../live/connection.ts';
import { retryConnection } from '../live/live.ts';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { dateFormat, t, withTime } from '../words/words.ts';
import styles from './shell.module.css';

/** While no change arrives: since when, and a way to try again. */
export function ConnectionBar() {
  const since = useStore(offlineSinceStore);
  if (since === undefined) return null;
  const time = isolated(dateFormat(withTime).format(since));
  return (
    <div className={styles.notice} data-kind="danger" role="alert">
      <WifiOff size={16} aria-hidden />
      <p>{t('live.offline_since', { time })}</p>
      <Button onPress={retryConnection}>{t('live.retry')}</Button>
    </div>
  );
}
