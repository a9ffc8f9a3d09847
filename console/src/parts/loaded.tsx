import type { ComponentProps, ReactNode } from 'react';
import { Failure, isPassing, sentenceOf } from '../live/request.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface Props<Data> {
  /** The shape of the content. */
  shape?: ComponentProps<typeof Skeleton>['shape'];
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** What a request answered: loading, the fault with a way to try again where that may help, or the content. */
export function Loaded<Data>({ shape = 'rows', query: { data, error, refetch }, children }: Props<Data>) {
  // The state of the connection says already that older content is shown.
  const isOffline = error instanceof Failure && error.code === 'network';
  const isShown = Boolean(error) && !(isOffline && data !== undefined);
  const mayHelp = !(error instanceof Failure) || isPassing(error);
  return (
    <>
      {isShown && (
        <Notice kind="danger" action={mayHelp && <Button onPress={() => void refetch()}>{t('app.retry')}</Button>}>
          {sentenceOf(error)}
        </Notice>
      )}
      {data === undefined && !error && <Skeleton shape={shape} />}
      {data !== undefined && children(data)}
    </>
  );
}
