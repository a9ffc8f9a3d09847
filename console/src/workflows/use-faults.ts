import type { DefinitionFault } from '@majlis/console-api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';
import { type Definition, stepPointerOf } from './definition.ts';
import { faultText } from './fault-words.ts';
import type { StepMark } from './flow.tsx';

const betweenChangesMs = 300;

export function checkDefinition(workspace_id: string, workflow_id: string, definition: Definition) {
  const body = { workflow_id, definition };
  return request<{ faults: DefinitionFault[] }>('POST', `/workspaces/${workspace_id}/workflow-checks`, body);
}

/** The faults of a definition, as the service finds them, while it is edited. */
export function useFaults(workspace_id: string, workflow_id: string, definition: Definition, isEditing: boolean) {
  const found = useQuery<{ faults: DefinitionFault[] }>({
    queryKey: ['workflow-faults', workflow_id, JSON.stringify(definition)],
    enabled: isEditing,
    gcTime: 0,
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      await new Promise((resolve) => setTimeout(resolve, betweenChangesMs));
      signal.throwIfAborted();
      return checkDefinition(workspace_id, workflow_id, definition);
    },
  });
  return found.data?.faults ?? [];
}

/** Faults at the steps that have them. */
export function markFaults(faults: readonly DefinitionFault[]): Map<string, StepMark[]> {
  const marks = new Map<string, StepMark[]>();
  for (const { pointer, detail } of faults) {
    const step = stepPointerOf(pointer);
    const text = faultText(detail);
    const others = marks.get(step) ?? [];
    if (!others.some((one) => one.text === text)) marks.set(step, [...others, { text, isFault: true }]);
  }
  return marks;
}
