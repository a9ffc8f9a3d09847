import type { BroadcastDetails } from '@majlis/console-api';
import type { Broadcast } from '@majlis/contract';
import { Pause, Play, X } from 'lucide-react';
import { useState } from 'react';
import { queries } from '../live/queries.ts';
import { request, sentenceOf } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { tell } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { showDetails, statePath } from './broadcast-data.ts';
import styles from './broadcasts.module.css';

interface Props {
  workspace_id: string;
  details: BroadcastDetails;
}

/** Pause, go on and cancel, while the broadcast has not ended. */
export function SteerBroadcast({ workspace_id, details }: Props) {
  const { broadcast, paused, waiting, handed_over } = details;
  const { id, name, counts, status } = broadcast;
  const [isCancelling, setCancelling] = useState(false);
  const [isPending, setPending] = useState(false);
  const path = statePath(workspace_id, id);
  if (status !== 'scheduled' && status !== 'sending') return null;

  async function steer(action: 'pause' | 'resume') {
    setPending(true);
    try {
      showDetails(workspace_id, await request<BroadcastDetails>('POST', `${path}/${action}`));
      tell(t(action === 'pause' ? 'broadcasts.paused_now' : 'broadcasts.resumed_now'));
    } catch (error) {
      // Somebody else was faster: the page shows what is.
      tell(sentenceOf(error), 'danger');
      await queries.invalidateQueries({ queryKey: [path] });
    } finally {
      setPending(false);
    }
  }

  async function cancel() {
    const ended = await request<Broadcast>('POST', `/workspaces/${workspace_id}/broadcasts/${id}/cancel`);
    await queries.invalidateQueries({ queryKey: [path] });
    const isCancelled = ended.status === 'cancelled';
    tell(t(isCancelled ? 'broadcasts.cancelled_now' : 'error.broadcast_ended'), isCancelled ? 'success' : 'danger');
  }

  return (
    <div className={styles.actions}>
      {paused ? (
        <Button look="primary" isPending={isPending} onPress={() => void steer('resume')}>
          <Play size={16} data-directional aria-hidden />
          {t('broadcasts.resume')}
        </Button>
      ) : (
        <Button
          isPending={isPending}
          isDisabled={status === 'sending' && waiting === 0}
          onPress={() => void steer('pause')}
        >
          <Pause size={16} aria-hidden />
          {t('broadcasts.pause')}
        </Button>
      )}
      <Button look="danger" onPress={() => setCancelling(true)}>
        <X size={16} aria-hidden />
        {t('broadcasts.cancel')}
      </Button>
      {isCancelling && (
        <AskDialog
          title={t('broadcasts.cancel_title', { name: isolated(name) })}
          hint={
            status === 'scheduled' && counts.total === 0
              ? t('broadcasts.cancel_unstarted')
              : `${t('broadcasts.cancel_hint', { waiting, leaving: handed_over })} ${t('broadcasts.cancel_sent', { count: counts.sent })}`
          }
          action={t('broadcasts.cancel')}
          dismiss={t('broadcasts.keep')}
          act={cancel}
          onClose={() => setCancelling(false)}
        />
      )}
    </div>
  );
}
