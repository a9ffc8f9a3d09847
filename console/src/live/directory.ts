import type { BusinessHoursState } from '@majlis/console-api';
import type { AiAgent, Stage, Team, Workflow, Workspace } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { listenToChanges } from './changes.ts';
import { useFollowedAnswer } from './followed-answer.ts';
import { settingsChanged } from './queries.ts';
import { request } from './request.ts';

// An administrator has changed a team, a list or the workspace: what shows them is read again.
listenToChanges({
  onChange: ({ kind, workspace_id }) => {
    if (kind === 'settings') settingsChanged(workspace_id);
  },
});

/** What a workspace has few of and seldom changes. */
function useDirectory<Data>(workspace_id: string, name: string): Data | undefined {
  const path = `/workspaces/${workspace_id}/${name}`;
  return useQuery({ queryKey: [path], queryFn: () => request<Data>('GET', path), staleTime: 60_000 }).data;
}

export interface ClosingCategory {
  id: string;
  name: string;
}

const none: readonly never[] = [];

export function useTeams(workspace_id: string): readonly Team[] {
  return useFollowedAnswer<{ data: Team[] }>(`/workspaces/${workspace_id}/teams`)?.data ?? none;
}

export function useStages(workspace_id: string): readonly Stage[] {
  return useKnownStages(workspace_id) ?? none;
}

/** Undefined until they are read. */
export function useKnownStages(workspace_id: string): readonly Stage[] | undefined {
  return useDirectory<Stage[]>(workspace_id, 'stages');
}

export function useClosingCategories(workspace_id: string): readonly ClosingCategory[] {
  return useDirectory<{ data: ClosingCategory[] }>(workspace_id, 'closing-categories')?.data ?? none;
}

export function useAiAgents(workspace_id: string): readonly AiAgent[] {
  return useDirectory<{ data: AiAgent[] }>(workspace_id, 'ai/agents')?.data ?? none;
}

/** The workflows that a person can start: those whose trigger is a call. */
export function useStartableWorkflows(workspace_id: string): readonly Workflow[] {
  const all = useDirectory<{ data: Workflow[] }>(workspace_id, 'workflows')?.data ?? none;
  return all.filter(({ status, trigger }) => status === 'published' && trigger === 'api_call');
}

export function useWorkspace(workspace_id: string): Workspace | undefined {
  return useDirectory<Workspace>(workspace_id, 'workspace');
}

/** Undefined until they are read; `hours` is absent where the business is never closed. */
export function useBusinessHours(workspace_id: string): BusinessHoursState | undefined {
  return useDirectory<BusinessHoursState>(workspace_id, 'business-hours');
}

export function useChannelName(workspace_id: string, channel_id: string): string | undefined {
  const channels = useDirectory<{ data: { id: string; name?: string; display_phone?: string }[] }>(
    workspace_id,
    'channels',
  );
  const channel = channels?.data.find(({ id }) => id === channel_id);
  return channel?.name ?? channel?.display_phone;
}
