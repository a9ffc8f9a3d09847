import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToChanges } from './changes.ts';
import { queries } from './queries.ts';
import { request } from './request.ts';

type Concerns = (change: LiveChange | LiveRemoval) => boolean;

/** Reads the answers of a path again after the changes that concern them, while a page shows them. */
export function useReread(path: string, concerns: Concerns): void {
  useEffect(
    () =>
      listenToChanges({
        onChange: (change) => {
          if (concerns(change)) void queries.invalidateQueries({ queryKey: [path] });
        },
      }),
    [path, concerns],
  );
}

/** An answer of the service that is read again after the changes that concern it, while a page shows it. */
export function useLiveQuery<Data>(
  path: string,
  concerns: Concerns,
  read = () => request<Data>('GET', path),
): UseQueryResult<Data> {
  useReread(path, concerns);
  // Nobody followed the changes while no page showed it.
  return useQuery({ queryKey: [path], queryFn: read, staleTime: 0 });
}
