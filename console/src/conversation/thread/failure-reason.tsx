import type { ThreadMessage } from '@majlis/console-api';
import { RotateCw } from 'lucide-react';
import { use, useState } from 'react';
import { failureSentences } from '../../words/failure-sentences.ts';
import { t } from '../../words/words.ts';
import { causeOf } from './failure-cause.ts';
import styles from './failure-reason.module.css';
import { canSendAgain, sendAgain } from './send-again.ts';

/** Why a message did not arrive, and what to do about it. */
export function FailureReason({ workspace_id, message }: { workspace_id: string; message: ThreadMessage }) {
  const [isSentAgain, setSentAgain] = useState(false);
  const cause = causeOf(message.error_code);
  const sentence = use(failureSentences())[cause];
  return (
    <p className={styles.reason}>
      {sentence}
      {cause === 'other' && message.error && (
        <small dir="auto" className={styles.words}>
          {message.error}
        </small>
      )}
      {canSendAgain(message) && (
        <button
          type="button"
          className={styles.again}
          disabled={isSentAgain}
          onClick={() => {
            setSentAgain(true);
            sendAgain(workspace_id, message);
          }}
        >
          <RotateCw size={14} aria-hidden />
          {t('thread.retry')}
        </button>
      )}
    </p>
  );
}
