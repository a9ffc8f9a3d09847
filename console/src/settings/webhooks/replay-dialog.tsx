import { useState } from 'react';
import { request } from '../../live/request.ts';
import { serverNow } from '../../live/session.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';

const periods = { hour: 3_600, day: 86_400, week: 7 * 86_400 } as const;
type Wanted = 'missed' | keyof typeof periods;

interface Props {
  path: string;
  onClose: () => void;
  onReplayed: () => Promise<unknown>;
}

/** Delivers events again: all that the endpoint missed, or all of a period for a receiver that lost them. */
export function ReplayDialog({ path, onClose, onReplayed }: Props) {
  const [wanted, setWanted] = useState<Wanted>('missed');
  async function send() {
    const body =
      wanted === 'missed'
        ? { undelivered: true }
        : { from: new Date(serverNow() - periods[wanted] * 1000).toISOString(), undelivered: false };
    const { replayed } = await request<{ replayed: number }>('POST', `${path}/replays`, body);
    tell(t('webhooks.replayed', { count: replayed }));
    await onReplayed();
    onClose();
  }
  return (
    <Dialog title={t('webhooks.replay_title')} onClose={onClose}>
      <Form place="dialog" submit={t('webhooks.replay')} send={send} onCancel={onClose}>
        <p>{t('webhooks.replay_hint')}</p>
        <Choice
          label={t('webhooks.replay_which')}
          options={[
            { id: 'missed', label: t('webhooks.replay_missed') },
            { id: 'hour', label: t('webhooks.replay_hour') },
            { id: 'day', label: t('webhooks.replay_day') },
            { id: 'week', label: t('webhooks.replay_week') },
          ]}
          value={wanted}
          onChange={setWanted}
        />
      </Form>
    </Dialog>
  );
}
