import type { Workflow } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { WorkflowRow } from './queries.ts';

export function presentWorkflow({ id, name, status, trigger, updated_at }: WorkflowRow): Workflow {
  return { id: publicId('workflow', id), name, status, trigger, updated_at: updated_at.toISOString() };
}
