import { Smartphone } from 'lucide-react';
import { sessionStore, simulatorUrl } from '../../live/session.ts';
import { useStore } from '../../live/store.ts';
import { t } from '../../words/words.ts';
import styles from '../conversation-header.module.css';

// A window beside the inbox, of the size of a phone.
const features = 'popup,width=440,height=860';

/** Where the platform is simulated: opens the phone of the customer, so that a newcomer can play both sides. */
export function PhoneLink({ handle }: { handle: string | undefined }) {
  const url = simulatorUrl(useStore(sessionStore));
  const digits = handle?.replace(/\D/g, '');
  if (!url || !digits) return null;
  url.searchParams.set('phone', digits);
  return (
    <a
      className={styles.phone}
      href={url.href}
      target="_blank"
      rel="noreferrer"
      aria-label={t('panel.phone')}
      title={t('panel.phone')}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (window.open(url.href, 'majlis-phone', features)) event.preventDefault();
      }}
    >
      <Smartphone size={18} aria-hidden />
    </a>
  );
}
