import type { User } from '@majlis/contract';
import { useFollowedAnswer } from './followed-answer.ts';

const none: readonly User[] = [];

/** The users of the workspace. A change of a member reads them again. */
export function useUsers(workspace_id: string): readonly User[] {
  return useFollowedAnswer<{ data: User[] }>(`/workspaces/${workspace_id}/users`)?.data ?? none;
}

export function useUserName(workspace_id: string, user_id: string | undefined): string | undefined {
  return useUsers(workspace_id).find(({ id }) => id === user_id)?.name;
}
