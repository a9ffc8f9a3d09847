import { eventually } from './eventually.ts';
import type { Json } from './json.ts';
import type { Majlis, Workspace } from './start-majlis.ts';

/** Adds a knowledge source and waits until it was read; answers it as the operator sees it. */
export async function addKnowledge(majlis: Majlis, workspace: Workspace, source: object): Promise<Json> {
  const before = await listKnowledge(majlis, workspace);
  const { status, text } = await workspace.api.post('/ai/knowledge-sources', source);
  if (status !== 202) throw new Error(`the knowledge source was answered ${status}: ${text}`);
  const known = new Set(before.map(({ id }: Json) => id));
  const [added] = await eventually(
    async () => (await listKnowledge(majlis, workspace)).filter(({ id }: Json) => !known.has(id)),
    (sources) => sources.length === 1 && sources[0].status !== 'waiting',
  );
  return added;
}

export async function listKnowledge(majlis: Majlis, { id }: Workspace): Promise<Json[]> {
  const { body } = await majlis.operator('GET', `/workspaces/${id}/knowledge-sources`);
  return body.data;
}
