import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { t } from '../words/words.ts';
import styles from './notifications-page.module.css';

interface Props {
  /** What the person chose, for all their browsers. */
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

const readPermission = () => ('Notification' in window && isSecureContext ? Notification.permission : undefined);

/** Desktop notifications need the choice of the person, and the permission of each browser. The browser asks after a press alone. */
export function DesktopPermission({ isOn, onChange }: Props) {
  const [permission, setPermission] = useState(readPermission);
  async function ask() {
    setPermission(await Notification.requestPermission());
  }
  return (
    <div className={styles.group}>
      <p className={styles.hint}>{t('person.desktop_hint')}</p>
      <Switch label={t('person.desktop')} isSelected={isOn} onChange={onChange} />
      {permission === undefined && <Notice>{t('person.desktop_https')}</Notice>}
      {isOn && permission === 'denied' && <Notice kind="danger">{t('person.desktop_denied')}</Notice>}
      {isOn && permission === 'default' && (
        <Notice action={<Button onPress={ask}>{t('person.desktop_ask')}</Button>}>{t('person.desktop_needed')}</Notice>
      )}
    </div>
  );
}
