import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';
import type { NamesOf } from './step-fields.ts';

const sources: Record<NamesOf, { path: string; member: string }> = {
  stages: { path: 'stages', member: 'name' },
  users: { path: 'users', member: 'email' },
  teams: { path: 'teams', member: 'name' },
  agents: { path: 'ai/agents', member: 'name' },
  categories: { path: 'closing-categories', member: 'name' },
  fields: { path: 'custom-fields', member: 'key' },
  templates: { path: 'chatapp/templates', member: 'name' },
  workflows: { path: 'workflows', member: 'name' },
};

/** The names of a kind that the workspace has. */
export function useNames(workspace_id: string, of: NamesOf): readonly string[] {
  const { path, member } = sources[of];
  const address = `/workspaces/${workspace_id}/${path}`;
  const found = useQuery({
    queryKey: ['workflow-names', address],
    queryFn: () => request<{ data: Record<string, string>[] }>('GET', address),
  });
  const names = (found.data?.data ?? []).flatMap((one) => one[member] ?? []);
  return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}
