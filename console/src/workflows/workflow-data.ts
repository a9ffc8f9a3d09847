import type { WorkflowDetail, WorkflowState } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import type { WordId } from '../words/word-id.ts';
import { isWord, t } from '../words/words.ts';

/** The path of the API below `/console/v1`, and of the pages. */
export const workflowsPath = (workspace_id: string) => `/workspaces/${workspace_id}/workflows`;
export const workflowPath = (workspace_id: string, id: string) => `${workflowsPath(workspace_id)}/${id}`;
export const statesPath = (workspace_id: string) => `/workspaces/${workspace_id}/workflow-states`;
export const workflowsPage = (workspace_id: string) => `/w/${workspace_id}/workflows`;

// Runs begin and end without a change of the workflow.
const refetchInterval = 5_000;

export function useWorkflowStates(workspace_id: string) {
  const path = statesPath(workspace_id);
  return useQuery({
    queryKey: [path],
    queryFn: () => request<{ data: WorkflowState[] }>('GET', path),
    staleTime: 0,
    refetchInterval,
  });
}

/** A workflow with its definition. Other people may change it meanwhile. */
export function useWorkflow(workspace_id: string, id: string) {
  const path = workflowPath(workspace_id, id);
  return useQuery({
    queryKey: [path],
    queryFn: () => request<WorkflowDetail>('GET', path),
    staleTime: 0,
    refetchInterval,
  });
}

/** Shows what the service answered to a change, and reads again what hangs on it. */
export async function showWorkflow(workspace_id: string, detail: WorkflowDetail): Promise<void> {
  const path = workflowPath(workspace_id, detail.workflow.id);
  queries.setQueryData([path], detail);
  await Promise.all([
    queries.invalidateQueries({ queryKey: [statesPath(workspace_id)] }),
    queries.invalidateQueries({ queryKey: [`${path}/versions`] }),
  ]);
}

export const statusKinds = { published: 'accent', paused: 'warning', draft: 'plain' } as const;
export const statusWords = {
  published: 'workflows.status_published',
  paused: 'workflows.status_paused',
  draft: 'workflows.status_draft',
} as const satisfies Record<string, WordId>;

export function triggerText(trigger: string): string {
  const id = `workflows.trigger_${trigger}`;
  return isWord(id) ? t(id) : trigger;
}

/** The word for a value of the service, or the value itself. */
export function wordFor(prefix: string, value: string): string {
  const id = `workflows.${prefix}_${value.replaceAll(' ', '_')}`;
  return isWord(id) ? t(id) : value;
}
