import { Compass } from 'lucide-react';
import { Link } from 'wouter';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';

export function UnknownPage() {
  return (
    <Empty isPage icon={<Compass aria-hidden />} title={t('app.page_unknown')} hint={t('app.page_unknown_hint')}>
      <Link href="/">{t('app.home')}</Link>
    </Empty>
  );
}
