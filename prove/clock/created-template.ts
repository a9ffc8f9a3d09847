import { randomUUID } from 'node:crypto';
import type { AnyJson } from '@majlis/testing/json';
import type { Scene } from './rule.ts';
import type { Listed } from './start-platform.ts';

export const draft = { language: 'en', category: 'utility', components: [{ type: 'body', text: 'Hello.' }] };

/** A template that the platform has been given. */
export interface Created {
  id: string;
  name: string;
  at_platform: Listed;
}

/** Creates a template; answers it. */
export async function create({ api }: Scene): Promise<AnyJson> {
  const name = `name_${randomUUID().replaceAll('-', '_')}`;
  return (await api.post('/chatapp/templates', { ...draft, name })).body;
}

/** The same, and waits until the platform has it. */
export async function submit(scene: Scene): Promise<Created> {
  const { id, name } = await create(scene);
  await scene.settled();
  return { id, name, at_platform: scene.platform.listed.find((one) => one.name === name)! };
}

/** Creates and deletes a template. */
export async function remove(scene: Scene): Promise<Created> {
  const template = await submit(scene);
  await scene.api.request('DELETE', `/chatapp/templates/${template.id}`);
  await scene.settled();
  return template;
}

export function unlist({ platform }: Scene, template: Listed): void {
  platform.listed = platform.listed.filter((one) => one !== template);
}

export function report(scene: Scene, { id, name }: Omit<Listed, 'waba_id'>, event: string): Promise<void> {
  const template = { message_template_id: id, message_template_name: name, message_template_language: 'en' };
  return scene.report({ event, ...template }, 'message_template_status_update');
}

/** After a report, of whatever template, the account is read anew. */
export function readList(scene: Scene): Promise<void> {
  return report(scene, { id: '0', name: 'other' }, 'APPROVED');
}

/** How often the platform was asked for what begins so. */
export function asked({ platform }: Scene, start: string): number {
  return platform.requests.filter((request) => request.startsWith(start)).length;
}

export function deletionsOf(scene: Scene, { at_platform }: Created): number {
  return asked(scene, `DELETE /${scene.waba_id}/message_templates?hsm_id=${at_platform.id}&`);
}
