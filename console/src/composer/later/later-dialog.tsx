import { useState } from 'react';
import { momentText } from '../../conversation/header/moment-text.ts';
import { useWorkspace } from '../../live/directory.ts';
import { serverNow } from '../../live/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { momentOfText, textOfMoment } from '../../words/wall-time.ts';
import { t } from '../../words/words.ts';
import { LateWarning } from './late-warning.tsx';
import type { LaterProps } from './later-props.ts';
import { readTime, TimeField } from './time-field.tsx';

const dayMs = 86_400_000;

/** A day and a time of the person's choice. */
export function LaterDialog({
  workspace_id,
  gate,
  isTemplate,
  onChoose,
  onClose,
}: LaterProps & { onClose: () => void }) {
  const timeZone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const [text, setText] = useState(() => `${textOfMoment(serverNow() + dayMs, timeZone).slice(0, 10)}T09:00`);
  const at = momentOfText(text, timeZone);
  async function send() {
    const chosen = readTime(text, timeZone);
    onClose();
    onChoose({ at: chosen, shown: momentText(chosen, timeZone) });
  }
  return (
    <Dialog title={t('scheduled.later')} onClose={onClose}>
      <Form place="dialog" submit={t('scheduled.schedule')} send={send} onCancel={onClose}>
        <TimeField timeZone={timeZone} value={text} onChange={setText} />
        <LateWarning gate={gate} isTemplate={isTemplate} at={at} />
      </Form>
    </Dialog>
  );
}
