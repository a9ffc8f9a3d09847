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

type Named = Record<string, string>;

/** The names of a kind that the workspace has. Undefined until they are read. */
export function useNames(workspace_id: string, of: NamesOf): readonly string[] | undefined {
  const { path, member } = sources[of];
  const address = `/workspaces/${workspace_id}/${path}`;
  const { data } = useQuery({
    queryKey: [address, 'names'],
    queryFn: () => request<Named[] | { data: Named[] }>('GET', address),
  });
  if (!data) return undefined;
  const listed = Array.isArray(data) ? data : data.data;
  return [...new Set(listed.flatMap((one) => one[member] ?? []))].sort((a, b) => a.localeCompare(b));
}
