import type { LinkDetails } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { Loading } from '../parts/empty.tsx';
import { t } from '../words/words.ts';
import { LinkFault } from './link-fault.tsx';

interface Props {
  kind: LinkDetails['kind'];
  token: string;
  children: (link: LinkDetails) => ReactNode;
}

/** Reads the purpose of a link before the person fills in a form. */
export function LinkPage({ kind, token, children }: Props) {
  const { data, error } = useQuery({
    queryKey: ['link', token],
    queryFn: () => request<LinkDetails>('POST', '/links/read', { token }),
    // Its use makes the link unreadable, while the page still shows it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data?.kind === kind) return children(data);
  if (!data && !error) return <Loading label={t('app.loading')} />;
  const isUnknown = data || (error instanceof Failure && error.code === 'link_invalid');
  return <LinkFault sentence={isUnknown ? t('link.hint') : sentenceOf(error)} />;
}
