import { Compass, LockKeyhole } from 'lucide-react';
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

/** A page that is there, and that the person may not open: perhaps they could a moment ago. */
export function ClosedPage({ what }: { what: 'role' | 'workspace' }) {
  return (
    <Empty
      isPage
      icon={<LockKeyhole aria-hidden />}
      title={t(what === 'role' ? 'app.page_closed' : 'app.workspace_closed')}
      hint={t(what === 'role' ? 'app.page_closed_hint' : 'app.workspace_closed_hint')}
    >
      <Link href="/">{t('app.home')}</Link>
    </Empty>
  );
}
