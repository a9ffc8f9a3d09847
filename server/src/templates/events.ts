import type { TemplateStatusUpdated } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { NewEvent } from '../events/record-events.ts';
import { presentTemplate } from './present.ts';
import type { StoredTemplate } from './queries.ts';

export function templateStatusUpdated(template: StoredTemplate): NewEvent {
  const data: TemplateStatusUpdated = { template: presentTemplate(template) };
  return { workspace_id: template.workspace_id, type: 'template.status_updated', data };
}

export function templateQualityUpdated({ workspace_id, id, name, language, quality }: StoredTemplate): NewEvent {
  const template = { id: publicId('template', id), name, language, quality };
  return { workspace_id, type: 'template.quality_updated', data: { template } };
}
