import type { ThreadMessage } from '@majlis/console-api';
import { MapPin } from 'lucide-react';
import { t } from '../../words/words.ts';
import styles from './location-content.module.css';

/** A place in words. The map opens on request alone: the page asks no other service (console.md 5). */
export function LocationContent({ location }: { location: NonNullable<ThreadMessage['location']> }) {
  const { latitude, longitude, name, address } = location;
  const place = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <div className={styles.location}>
      <MapPin size={22} aria-hidden />
      <div className={styles.words}>
        <strong dir="auto">{name ?? t('thread.location')}</strong>
        {address && <span dir="auto">{address}</span>}
        <bdi dir="ltr" className={styles.place}>
          {place}
        </bdi>
        <a href={map} target="_blank" rel="noopener noreferrer nofollow">
          {t('thread.map')}
        </a>
      </div>
    </div>
  );
}
