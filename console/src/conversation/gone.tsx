import { MessageSquareOff } from 'lucide-react';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';

/** In the place of a conversation that was deleted, or that the person may not see. */
export function Gone() {
  return <Empty icon={<MessageSquareOff aria-hidden />} title={t('thread.gone')} hint={t('thread.gone_hint')} />;
}
