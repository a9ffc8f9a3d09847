import type { Workflow } from '@majlis/contract';
import { formatTimestamp } from '../database/format-timestamp.ts';
import { publicId } from '../database/ids.ts';
import type { WorkflowRow } from './queries.ts';

export function presentWorkflow({ id, name, status, trigger, updated_at }: WorkflowRow): Workflow {
  return { id: publicId('workflow', id), name, status, trigger, updated_at: formatTimestamp(updated_at) };
}
