import { useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Loading } from '../parts/empty.tsx';
import { t } from '../words/words.ts';
import { LinkFault } from './link-fault.tsx';
import { takeToken } from './token.ts';

/** Signs in with a link of the command line. */
export function EnterPage() {
  const token = takeToken();
  const { isSuccess, error } = useQuery({
    queryKey: ['enter', token],
    queryFn: async () => {
      await request('POST', '/sign-in/link', { token });
      await loadSession();
      return true;
    },
    // The link works once.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (isSuccess) return <Redirect to="/" replace />;
  if (!error) return <Loading label={t('enter.working')} />;
  const isUsed = error instanceof Failure && error.code === 'link_invalid';
  return <LinkFault sentence={isUsed ? t('link.hint') : sentenceOf(error)} />;
}
