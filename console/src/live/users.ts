import type { User } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { request } from './request.ts';

const none: readonly User[] = [];

/** The users of the workspace. A change of a member reads them again. */
export function useUsers(workspace_id: string): readonly User[] {
  const path = `/workspaces/${workspace_id}/users`;
  const { data } = useQuery({
    queryKey: [path],
    queryFn: async () => (await request<{ data: User[] }>('GET', path)).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? none;
}

export function useUserName(workspace_id: string, user_id: string | undefined): string | undefined {
  return useUsers(workspace_id).find(({ id }) => id === user_id)?.name;
}
