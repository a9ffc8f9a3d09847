import { CircleCheck, MessageCircle, TriangleAlert, X } from 'lucide-react';
import {
  Button as AriaButton,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { t } from '../words/words.ts';
import buttonStyles from './button.module.css';
import { Button } from './button.tsx';
import styles from './toasts.module.css';
import { queue } from './toasts.ts';

const icons = {
  success: <CircleCheck size={18} aria-hidden />,
  danger: <TriangleAlert size={18} aria-hidden />,
  notice: <MessageCircle size={18} aria-hidden />,
};

/** The messages in front of the page. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles.region!}>
      {({ toast }) => (
        <Toast toast={toast} className={styles.toast!} data-kind={toast.content.kind}>
          {icons[toast.content.kind]}
          <ToastContent className={styles.content!}>
            {toast.content.title !== undefined && (
              <Text slot="title" className={styles.title!}>
                {toast.content.title}
              </Text>
            )}
            <Text slot={toast.content.title === undefined ? 'title' : 'description'} className={styles.text!}>
              {toast.content.text}
            </Text>
          </ToastContent>
          {toast.content.action && <Button onPress={toast.content.action.act}>{toast.content.action.label}</Button>}
          <AriaButton slot="close" className={buttonStyles.button!} data-look="quiet" aria-label={t('app.close')}>
            <X size={16} aria-hidden />
          </AriaButton>
        </Toast>
      )}
    </ToastRegion>
  );
}
