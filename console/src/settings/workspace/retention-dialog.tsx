import type { RetentionPreview } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../live/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { t } from '../../words/words.ts';

interface Props {
  path: string;
  days: number;
  act: () => Promise<void>;
  onClose: () => void;
}

/** Says in numbers what the retention deletes, before it is set. */
export function RetentionDialog({ path, days, act, onClose }: Props) {
  const counts = `${path}/preview?days=${days}`;
  const preview = useQuery({
    queryKey: [counts],
    queryFn: () => request<RetentionPreview>('GET', counts),
    staleTime: 0,
    gcTime: 0,
  });
  async function send() {
    await act();
    onClose();
  }
  return (
    <Dialog title={t('retention.ask')} onClose={onClose}>
      <Loaded query={preview}>
        {({ has_more, ...counts }) => (
          <Form
            place="dialog"
            look={counts.conversations === 0 ? 'primary' : 'danger'}
            submit={t('retention.confirm')}
            send={send}
            onCancel={onClose}
          >
            <p>
              {counts.conversations === 0
                ? t('retention.nothing_now')
                : t(has_more ? 'retention.now_and_more' : 'retention.now', counts)}
            </p>
            <p>{t('retention.later', { days })}</p>
            <Notice>{t('retention.final')}</Notice>
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}
