import { randomUUID } from 'node:crypto';
import type { AnyJson } from '@majlis/testing/json';
import type { ListedTemplate } from './clock-platform.ts';
import type { RuleContext } from './rule.ts';

export const draft = { language: 'en', category: 'utility', components: [{ type: 'body', text: 'Hello.' }] };

/** A template that the platform has been given. */
export interface SubmittedTemplate {
  id: string;
  name: string;
  at_platform: ListedTemplate;
}

/** Creates a template; answers it. */
export async function createDraftTemplate({ api }: RuleContext): Promise<AnyJson> {
  const name = `name_${randomUUID().replaceAll('-', '_')}`;
  return (await api.post('/chatapp/templates', { ...draft, name })).body;
}

/** The same, and waits until the platform has it. */
export async function createSubmittedTemplate(context: RuleContext): Promise<SubmittedTemplate> {
  const { id, name } = await createDraftTemplate(context);
  await context.settled();
  return { id, name, at_platform: context.platform.listed.find((one) => one.name === name)! };
}

/** Creates and deletes a template. */
export async function deleteSubmittedTemplate(context: RuleContext): Promise<SubmittedTemplate> {
  const template = await createSubmittedTemplate(context);
  await context.api.request('DELETE', `/chatapp/templates/${template.id}`);
  await context.settled();
  return template;
}

export function removeFromList({ platform }: RuleContext, template: ListedTemplate): void {
  platform.listed = platform.listed.filter((one) => one !== template);
}

export function reportTemplateStatus(
  context: RuleContext,
  { id, name }: Omit<ListedTemplate, 'waba_id'>,
  event: string,
): Promise<void> {
  const template = { message_template_id: id, message_template_name: name, message_template_language: 'en' };
  return context.report({ event, ...template }, 'message_template_status_update');
}

/** After a report, of whatever template, the account is read anew. */
export function syncTemplateList(context: RuleContext): Promise<void> {
  return reportTemplateStatus(context, { id: '0', name: 'other' }, 'APPROVED');
}

/** How often the platform was asked for what begins so. */
export function countRequests({ platform }: RuleContext, start: string): number {
  return platform.requests.filter((request) => request.startsWith(start)).length;
}

export function countDeletions(context: RuleContext, { at_platform }: SubmittedTemplate): number {
  return countRequests(context, `DELETE /${context.waba_id}/message_templates?hsm_id=${at_platform.id}&`);
}
