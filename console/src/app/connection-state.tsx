import { Wifi, WifiOff } from 'lucide-react';
import { connectionStore } from '../live/connection.ts';
import { useStore } from '../live/store.ts';
import { t } from '../words/words.ts';
import styles from './shell.module.css';

/** Whether the service answers, so that what the page shows is current. */
export function ConnectionState() {
  const connection = useStore(connectionStore);
  return (
    <p className={styles.connection} data-state={connection} role="status">
      {connection === 'offline' ? <WifiOff size={16} aria-hidden /> : <Wifi size={16} aria-hidden />}
      <span className={styles.label}>{t(`live.${connection}`)}</span>
    </p>
  );
}
