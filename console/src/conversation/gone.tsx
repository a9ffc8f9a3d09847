import { MessageSquareOff } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';

/** In the place of a conversation that was deleted, or that the person may not see. A phone shows nothing beside it. */
export function Gone({ workspace_id }: { workspace_id: string }) {
  const [, navigate] = useLocation();
  return (
    <Empty icon={<MessageSquareOff aria-hidden />} title={t('thread.gone')} hint={t('thread.gone_hint')}>
      <Button onPress={() => navigate(`/w/${workspace_id}/inbox`)}>{t('app.back')}</Button>
    </Empty>
  );
}
