import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** Adds a knowledge source, waits until it is indexed, and answers it from the operator's API. */
export async function addKnowledge(majlis: TestService, workspace: TestWorkspace, source: object): Promise<AnyJson> {
  const before = await listKnowledge(majlis, workspace);
  const { status, text } = await workspace.api.post('/ai/knowledge-sources', source);
  if (status !== 202) throw new Error(`the knowledge source was answered ${status}: ${text}`);
  const known = new Set(before.map(({ id }: AnyJson) => id));
  const [added] = await eventually(
    async () => (await listKnowledge(majlis, workspace)).filter(({ id }: AnyJson) => !known.has(id)),
    (sources) => sources.length === 1 && sources[0].status !== 'waiting',
  );
  return added;
}

export async function listKnowledge(majlis: TestService, { id }: TestWorkspace): Promise<AnyJson[]> {
  const { body } = await majlis.operator('GET', `/workspaces/${id}/knowledge-sources`);
  return body.data;
}
