import type { TemplateStatusUpdated } from '@majlis/contract';
import type { NewEvent } from '../events/record-events.ts';
import { presentTemplate } from './present.ts';
import type { StoredTemplate } from './queries.ts';

export function templateStatusUpdated(template: StoredTemplate): NewEvent {
  const data: TemplateStatusUpdated = { template: presentTemplate(template) };
  return { workspace_id: template.workspace_id, type: 'template.status_updated', data };
}
