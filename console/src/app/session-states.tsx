import { CloudOff } from 'lucide-react';
import type { Failure } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Loading } from '../parts/empty.tsx';
import { t } from '../words/words.ts';

export function SessionLoading() {
  return <Loading label={t('app.loading')} />;
}

export function SessionFailed({ failure }: { failure: Failure }) {
  return (
    <Empty isPage icon={<CloudOff aria-hidden />} title={t('app.failed')} hint={failure.sentence}>
      <Button look="primary" onPress={loadSession}>
        {t('app.retry')}
      </Button>
    </Empty>
  );
}
