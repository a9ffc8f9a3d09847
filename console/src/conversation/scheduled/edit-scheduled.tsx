import type { ScheduledMessage } from '@majlis/console-api';
import { useRef, useState } from 'react';
import { useGate } from '../../composer/gate.ts';
import { LateWarning } from '../../composer/later/late-warning.tsx';
import { readTime, TimeField } from '../../composer/later/time-field.tsx';
import { useWorkspace } from '../../live/directory.ts';
import { serverNow } from '../../live/session.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { isolated } from '../../words/isolated.ts';
import { momentOfText, textOfMoment } from '../../words/wall-time.ts';
import { t } from '../../words/words.ts';
import { momentText } from '../header/moment-text.ts';
import { type Compose, ContentEditor } from './content-editor.tsx';
import { changeScheduled, type ScheduledEdit } from './scheduled-actions.ts';

interface Props {
  workspace_id: string;
  given: ScheduledMessage;
  /** As the service has it now. Undefined once it was sent or cancelled. */
  current: ScheduledMessage | undefined;
  onClose: () => void;
}

const hourMs = 3_600_000;

/** Changes what the message says, and its time. What a colleague changed meanwhile is shown, and overwritten only by a second press. */
export function EditScheduled({ workspace_id, given, current, onClose }: Props) {
  const timeZone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const [opened, setOpened] = useState(given);
  const message = current ?? opened;
  const gate = useGate(workspace_id, opened.conversation_id);
  const isOver = Date.parse(opened.send_at) <= serverNow();
  const editor = useRef<Compose>(null);
  const [timeText, setTime] = useState(() =>
    textOfMoment(isOver ? serverNow() + hourMs : Date.parse(opened.send_at), timeZone),
  );
  const at = momentOfText(timeText, timeZone);
  const isChanged = message.version !== opened.version;

  async function send() {
    // The first press after the change of a colleague shows it.
    const known = isChanged ? message : opened;
    const composed = editor.current ? editor.current() : known.content;
    if (!composed) return;
    const content = JSON.stringify(composed) === JSON.stringify(known.content) ? undefined : composed;
    const isMoved = timeText !== textOfMoment(Date.parse(known.send_at), timeZone) || known.state !== 'scheduled';
    const edit: ScheduledEdit = {
      version: known.version,
      ...(content && { content }),
      ...(isMoved && { send_at: new Date(readTime(timeText, timeZone)).toISOString() }),
    };
    if (content || isMoved) await changeScheduled(workspace_id, message, edit);
    onClose();
  }

  return (
    <Dialog title={t('scheduled.edit_title')} onClose={onClose}>
      <Form
        place="dialog"
        submit={t(isChanged ? 'scheduled.save_anyway' : 'scheduled.save')}
        send={send}
        isSendable={current !== undefined}
        onCancel={onClose}
      >
        {!current && <Notice kind="danger">{t('scheduled.ended')}</Notice>}
        {isChanged && (
          <Notice
            kind="danger"
            action={
              <Button
                onPress={() => {
                  setOpened(message);
                  setTime(textOfMoment(Date.parse(message.send_at), timeZone));
                }}
              >
                {t('scheduled.take_theirs')}
              </Button>
            }
          >
            {t('scheduled.changed_by', {
              name: isolated(message.user_name ?? t('thread.someone')),
              time: isolated(momentText(Date.parse(message.send_at), timeZone)),
            })}
            <blockquote dir="auto">{message.preview}</blockquote>
          </Notice>
        )}
        {/* Another version begins anew. */}
        <ContentEditor key={opened.version} workspace_id={workspace_id} message={opened} composing={editor} />
        <TimeField timeZone={timeZone} value={timeText} onChange={setTime} />
        <LateWarning gate={gate} isTemplate={opened.content.kind === 'template'} at={at} />
      </Form>
    </Dialog>
  );
}
