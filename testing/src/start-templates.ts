import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import { startTestService, type TestWorkspace } from './start-test-service.ts';
import { templateEventsOf } from './templates.ts';

export const templatesPath = '/chatapp/templates';

/** A template that the platform takes. No two have the same text: it refuses that. */
export const templateOf = (name: string, more: object = {}) => ({
  name,
  language: 'en',
  category: 'utility',
  components: [{ type: 'body', text: `Hello {{1}}, this is ${name}.`, examples: ['Muna'] }],
  ...more,
});

/** Starts the service with a workspace, and what creates and deletes its templates. */
export async function startTemplates() {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const workspace = await majlis.workspace();

  async function create(template: object, { api }: TestWorkspace = workspace): Promise<string> {
    const { status, body, text } = await api.post(templatesPath, template);
    assert.equal(status, 201, text);
    return body.id;
  }

  const remove = (id: string, { api }: TestWorkspace = workspace) => api.request('DELETE', `${templatesPath}/${id}`);

  /** The statuses of which the template's events tell, in order. */
  const statusesOf = async (id: string) => {
    const events = await templateEventsOf(majlis, workspace);
    return events
      .map(({ data }) => data.template)
      .filter((one) => one.id === id)
      .map(({ status }) => status);
  };

  /** Waits until nothing is left to submit to the platform or to remove there. */
  const settle = () =>
    eventually(
      () =>
        majlis.sql(
          `select kind, payload from jobs where kind in ('templates.submit_template', 'templates.remove_template')`,
        ),
      (rows) => rows.length === 0,
    );

  return { majlis, workspace, create, remove, statusesOf, settle };
}
