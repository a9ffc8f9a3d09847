import type { WorkflowRunState, WorkflowState, WorkflowVersion } from '@majlis/console-api';
import { publicId } from '../../database/ids.ts';
import { markSecrets } from '../definition/secret-marks.ts';
import type { RunStateRow } from '../run/read-run-states.ts';
import type { Definition } from './check-definition.ts';
import type { VersionRow, WorkflowStateRow } from './read-workflow-states.ts';

export function presentState(row: WorkflowStateRow): WorkflowState {
  const { id, name, status, trigger, version, updated_at, running_count } = row;
  return {
    ...{ id: publicId('workflow', id), name, status, trigger, version, running_count },
    updated_at: updated_at.toISOString(),
    ...(row.saved_at && { saved_at: row.saved_at.toISOString() }),
    ...presentSaver(row),
  };
}

export function presentVersion(row: VersionRow): WorkflowVersion {
  const { version, saved_at, restored_from, running_count } = row;
  return {
    ...{ version, saved_at: saved_at.toISOString(), running_count },
    ...presentSaver(row),
    ...(restored_from !== null && { restored_from }),
  };
}

/** A workflow that an older service stored without a version has no steps yet. */
export function presentVersionDefinition({
  version,
  definition,
  trigger = 'api_call',
}: {
  version: number;
  definition: Definition | null;
  trigger?: string;
}): Definition {
  return definition === null ? { trigger, steps: [] } : markSecrets(definition, version);
}

function presentSaver({ saved_by_id, saved_by_name }: Pick<VersionRow, 'saved_by_id' | 'saved_by_name'>) {
  return saved_by_id === null
    ? {}
    : { saved_by: { user_id: publicId('user', saved_by_id), name: saved_by_name ?? '' } };
}

/** `step`: where the run stands. */
export function presentRunState(row: RunStateRow, step: string | null): WorkflowRunState {
  const { id, version, status, reason, conversation_id, due_at, started_at, ended_at } = row;
  const waits_for = waitOf(row);
  return {
    ...{ id: publicId('workflow_run', id), version, status: status as WorkflowRunState['status'] },
    contact: {
      id: publicId('contact', row.contact_id),
      ...(row.contact_name !== null && { name: row.contact_name }),
    },
    ...(conversation_id !== null && { conversation_id: publicId('conversation', conversation_id) }),
    ...(reason !== null && { reason }),
    ...(step !== null && { step }),
    ...(waits_for && { waits_for }),
    ...(status === 'running' && due_at && { due_at: due_at.toISOString() }),
    started_at: started_at.toISOString(),
    ...(ended_at && { ended_at: ended_at.toISOString() }),
  };
}

function waitOf({ status, is_parked, is_asking, is_proposing, due_at }: RunStateRow): WorkflowRunState['waits_for'] {
  if (status !== 'running') return undefined;
  if (is_parked) return 'publication';
  if (is_proposing) return 'approval';
  if (is_asking) return 'answer';
  return due_at ? 'time' : undefined;
}
