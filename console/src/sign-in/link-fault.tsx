import { Link } from 'wouter';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { Card, linkStyle } from './card.tsx';

/** The page of a link that does not work, and why. */
export function LinkFault({ sentence }: { sentence: string }) {
  return (
    <Card title={t('link.title')}>
      <Notice kind="danger">{sentence}</Notice>
      <Link href="/" className={linkStyle}>
        {t('app.home')}
      </Link>
    </Card>
  );
}
