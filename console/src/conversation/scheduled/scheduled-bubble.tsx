import type { ScheduledMessage } from '@majlis/console-api';
import { CalendarClock, CircleAlert, File, Pencil, SendHorizontal, X } from 'lucide-react';
import { use } from 'react';
import { useGate } from '../../composer/gate.ts';
import { LateWarning } from '../../composer/later/late-warning.tsx';
import { useWorkspace } from '../../live/directory.ts';
import { Button } from '../../parts/button.tsx';
import { isolated } from '../../words/isolated.ts';
import { isWord, t } from '../../words/words.ts';
import { momentText } from '../header/moment-text.ts';
import { MessageText } from '../thread/message-text.tsx';
import { nameOfKindOfMessage } from '../thread/people.ts';
import { EditContext } from './edit-context.ts';
import { cancelScheduled, sendScheduledNow } from './scheduled-actions.ts';
import styles from './scheduled-bubble.module.css';

interface Props {
  workspace_id: string;
  message: ScheduledMessage;
}

/** A message that is not sent yet, with its time, its author and what can be done with it. */
export function ScheduledBubble({ workspace_id, message }: Props) {
  const edit = use(EditContext);
  const timeZone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const gate = useGate(workspace_id, message.conversation_id);
  const { content, preview, file, send_at, state, user_name } = message;
  const isFailed = state === 'failed';
  const time = momentText(Date.parse(send_at), timeZone);
  const names = { time: isolated(time), name: isolated(user_name ?? t('thread.someone')) };
  return (
    <article className={styles.line} data-scheduled={message.id} aria-label={t(wordOf(isFailed), names)}>
      <div className={styles.bubble} data-failed={isFailed || undefined}>
        <p className={styles.head}>
          {isFailed ? <CircleAlert size={16} aria-hidden /> : <CalendarClock size={16} aria-hidden />}
          <span>{t(wordOf(isFailed), names)}</span>
        </p>
        {file && (
          <p className={styles.file}>
            <File size={16} aria-hidden />
            <bdi>{file.filename ?? nameOfKindOfMessage(content.kind)}</bdi>
          </p>
        )}
        {preview ? (
          <MessageText text={preview} hasMentions={false} />
        ) : (
          !file && <p>{nameOfKindOfMessage(content.kind)}</p>
        )}
        {!isFailed && <LateWarning gate={gate} isTemplate={content.kind === 'template'} at={Date.parse(send_at)} />}
        {message.failure && <FailedReason failure={message.failure} />}
        <div className={styles.actions}>
          <Button look="quiet" onPress={() => edit(message)}>
            <Pencil size={16} aria-hidden />
            {t('scheduled.edit')}
          </Button>
          <Button look="quiet" onPress={() => sendScheduledNow(workspace_id, message)}>
            <SendHorizontal size={16} data-directional aria-hidden />
            {t('scheduled.send_now')}
          </Button>
          <Button look="quiet" onPress={() => cancelScheduled(workspace_id, message)}>
            <X size={16} aria-hidden />
            {t(isFailed ? 'scheduled.discard' : 'scheduled.cancel')}
          </Button>
        </div>
      </div>
    </article>
  );
}

const wordOf = (isFailed: boolean) => (isFailed ? 'scheduled.failed_at' : 'scheduled.waits_until');

/** Why it was refused, and what to do about it. */
function FailedReason({ failure: { code, detail } }: { failure: NonNullable<ScheduledMessage['failure']> }) {
  const word = `error.${code}`;
  const isKnown = isWord(word) && code !== 'unprocessable_content';
  return (
    <p className={styles.reason}>
      {isKnown ? t(word) : t('scheduled.refused')}
      {!isKnown && detail && <small dir="auto">{detail}</small>}
    </p>
  );
}
