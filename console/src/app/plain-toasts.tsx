import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '../parts/button.tsx';
import styles from '../parts/toasts.module.css';
import { queue } from '../parts/toasts.ts';
import { t } from '../words/words.ts';

type Toast = (typeof queue.visibleToasts)[number];

const subscribe = (listener: () => void) => queue.subscribe(listener);

/** The messages in front of a page whose region of toasts is not there any more, as after an upgrade. */
export function PlainToasts() {
  const toasts = useSyncExternalStore(subscribe, () => queue.visibleToasts);
  return (
    <div className={styles.region}>
      {toasts.map((toast) => (
        <PlainToast key={toast.key} toast={toast} />
      ))}
    </div>
  );
}

function PlainToast({ toast: { key, content, timer, timeout } }: { toast: Toast }) {
  const { title, text, kind, action } = content;
  useEffect(() => {
    if (timeout) timer?.reset(timeout);
    return () => timer?.pause();
  }, [timer, timeout]);
  return (
    <div className={styles.toast} data-kind={kind} role={kind === 'danger' ? 'alert' : 'status'}>
      <div className={styles.content}>
        {title !== undefined && <span className={styles.title}>{title}</span>}
        <span className={styles.text}>{text}</span>
      </div>
      {action && <Button onPress={action.act}>{action.label}</Button>}
      <Button look="quiet" aria-label={t('app.close')} onPress={() => queue.close(key)}>
        <X size={16} aria-hidden />
      </Button>
    </div>
  );
}
