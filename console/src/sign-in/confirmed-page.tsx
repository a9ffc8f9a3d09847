import { useEffect } from 'react';
import { Link, useSearch } from 'wouter';
import { Failure, type FailureCode } from '../live/request.ts';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { Card, linkStyle } from './card.tsx';
import { tellConfirmation } from './provider.ts';

/** The end of a visit to the identity provider that proves an identity again. Its window closes at once. */
export function ConfirmedPage() {
  const failed = (new URLSearchParams(useSearch()).get('failed') ?? undefined) as FailureCode | undefined;
  useEffect(() => tellConfirmation(failed), [failed]);
  return (
    <Card title={t('confirm.title')}>
      {failed === undefined ? (
        <Notice kind="success">{t('confirm.done')}</Notice>
      ) : (
        <Notice kind="danger">{new Failure(failed).sentence}</Notice>
      )}
      <Link href="/" className={linkStyle}>
        {t('app.back')}
      </Link>
    </Card>
  );
}
