import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import styles from './toasts.module.css';

interface Message {
  text: string;
  kind: 'success' | 'danger';
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 });
const shownMs = 6_000;

/** Tells the outcome of an action that leaves no other trace on the page. */
export function tell(text: string, kind: Message['kind'] = 'success'): void {
  queue.add({ text, kind }, kind === 'success' ? { timeout: shownMs } : {});
}

export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles.region!}>
      {({ toast }) => (
        <Toast toast={toast} className={styles.toast!} data-kind={toast.content.kind}>
          {toast.content.kind === 'success' ? (
            <CircleCheck size={18} aria-hidden />
          ) : (
            <TriangleAlert size={18} aria-hidden />
          )}
          <ToastContent>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          <Button slot="close" look="quiet" aria-label={t('app.close')}>
            <X size={16} aria-hidden />
          </Button>
        </Toast>
      )}
    </ToastRegion>
  );
}
