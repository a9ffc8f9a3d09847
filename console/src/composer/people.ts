import type { User } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';

/** The users of the workspace, by whose names a page speaks of colleagues. */
export function usePeople(workspace_id: string): readonly User[] {
  const { data } = useQuery({
    queryKey: [`/workspaces/${workspace_id}`, 'users'],
    queryFn: () => request<{ data: User[] }>('GET', `/workspaces/${workspace_id}/users`),
    staleTime: 60_000,
  });
  return data?.data ?? [];
}

export function nameOf(people: readonly User[], user_id: string): string {
  return people.find(({ id }) => id === user_id)?.name ?? '';
}

export function firstNameOf(name: string): string {
  return name.trim().split(/\s+/u)[0] ?? '';
}
