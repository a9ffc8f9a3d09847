import { CopyBox } from '../../parts/copy-box.tsx';
import { Notice } from '../../parts/notice.tsx';
import { t } from '../../words/words.ts';
import styles from './channels.module.css';

interface Props {
  callback_url: string;
  /** Present while it can be shown. */
  verify_token?: string;
}

/** What a person enters at the platform, so that it calls this service. */
export function CallbackValues({ callback_url, verify_token }: Props) {
  return (
    <>
      <div className={styles.copied}>
        <span aria-hidden>{t('channels.callback_url')}</span>
        <CopyBox text={callback_url} label={t('channels.callback_url')} />
      </div>
      {verify_token !== undefined && (
        <div className={styles.copied}>
          <span aria-hidden>{t('channels.verify_token')}</span>
          <CopyBox text={verify_token} label={t('channels.verify_token')} />
        </div>
      )}
      {!callback_url.startsWith('https:') && <Notice>{t('channels.callback_local')}</Notice>}
    </>
  );
}
