import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';

export const groupings = ['channel', 'team', 'user', 'stage'] as const;
export type Grouping = (typeof groupings)[number];

interface Named {
  id: string;
  name?: string;
  display_phone?: string;
  emoji?: string;
}

/** The names of channels, teams, users or stages by their ids. */
export function useGroupNames(workspace_id: string, grouping: Grouping): ReadonlyMap<string, string> {
  const path = `/workspaces/${workspace_id}/${grouping}s`;
  const { data = [] } = useQuery({
    queryKey: [path, 'names'],
    queryFn: async () => {
      const body = await request<Named[] | { data: Named[] }>('GET', path);
      return Array.isArray(body) ? body : body.data;
    },
    staleTime: 60_000,
  });
  return new Map(
    data.map(({ id, name, display_phone, emoji }) => [
      id,
      [emoji, name ?? display_phone ?? id].filter(Boolean).join(' '),
    ]),
  );
}
