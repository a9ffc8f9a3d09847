import { randomBytes } from 'node:crypto';
import type { ReviewedTemplate } from '@majlis/contract';
import { callControl } from './call-control.ts';
import { eventually } from './eventually.ts';
import { untilDispatched } from './messages.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** A template at the platform. */
export interface AtPlatform {
  id: string;
  waba_id: string;
  name: string;
  language: string;
  status: string;
  components: object[];
}

type Simulated = Pick<TestService, 'simulator'>;

/** The platform's templates of this name in the workspace's account. */
export async function listAtPlatform(
  majlis: Simulated,
  { waba_id }: Pick<TestWorkspace, 'waba_id'>,
  name: string,
): Promise<AtPlatform[]> {
  const all = (await callControl(majlis, 'GET', '/templates')) as AtPlatform[];
  return all.filter((template) => template.waba_id === waba_id && template.name === name);
}

/** Changes a template as the platform would, which then reports it. */
export async function changeAtPlatform(
  majlis: Simulated,
  workspace: TestWorkspace,
  name: string,
  to: object,
): Promise<void> {
  const [template] = await listAtPlatform(majlis, workspace, name);
  await callControl(majlis, 'PATCH', `/templates/${template!.id}`, to);
}

export async function fetchTemplate({ api }: Pick<TestWorkspace, 'api'>, id: string): Promise<ReviewedTemplate> {
  return (await api.get(`/chatapp/templates/${id}`)).body;
}

/** Waits until the template has this status. */
export function untilTemplate(
  workspace: Pick<TestWorkspace, 'api'>,
  id: string,
  status: string,
): Promise<ReviewedTemplate> {
  return eventually(
    () => fetchTemplate(workspace, id),
    (template) => template?.status === status,
  );
}

/** The same while time passes, for what is tried again later, and then perhaps later still. */
export function untilTemplateInTime(
  majlis: Pick<TestService, 'advance'>,
  workspace: Pick<TestWorkspace, 'api'>,
  id: string,
  status: string,
): Promise<ReviewedTemplate> {
  const readLater = async () => {
    await majlis.advance(60);
    return fetchTemplate(workspace, id);
  };
  return eventually(readLater, (template) => template?.status === status);
}

/** The events of a workspace's templates, in order. */
export async function templateEventsOf(majlis: Pick<TestService, 'sql'>, { waba_id }: Pick<TestWorkspace, 'waba_id'>) {
  const rows = await majlis.sql<{ payload: string }>(
    `select payload from events where type = 'template.status_updated'
       and workspace_id = (select workspace_id from channels where waba_id = $1) order by created_at`,
    [waba_id],
  );
  return rows.map((row) => JSON.parse(row.payload));
}

/** Lets the platform's list be read: a template that only the list tells of is known then. */
export async function forceTemplateSync(majlis: TestService, { waba_id, api }: TestWorkspace): Promise<void> {
  const name = `only_listed_${randomBytes(5).toString('hex')}`;
  const components = [{ type: 'BODY', text: name }];
  majlis.simulator.addTemplate({ waba_id, name, language: 'en', category: 'UTILITY', components });
  await majlis.advance(600);
  await eventually(
    () => api.get('/chatapp/templates'),
    ({ body }) => body.data.some((template: { name: string }) => template.name === name),
  );
}

/** Adds the approved template `pictured`, whose header is a picture and whose text has one value. */
export async function addPicturedTemplate(majlis: TestService, workspace: TestWorkspace): Promise<void> {
  const components = [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Look at {{1}}.' },
  ];
  const { waba_id } = workspace;
  majlis.simulator.addTemplate({ waba_id, name: 'pictured', language: 'en', category: 'UTILITY', components });
  await forceTemplateSync(majlis, workspace);
}

/** What the platform was sent as the template of this message. */
export async function wiredTemplate(majlis: TestService, id: string): Promise<{ components?: object[] }> {
  await untilDispatched(majlis);
  const entry = majlis.simulator.ledger().find(({ biz_opaque_callback_data }) => biz_opaque_callback_data === id);
  return (entry!.body as { template: { components?: object[] } }).template;
}
