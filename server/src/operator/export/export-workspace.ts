import type { Connection } from '../../database/pool.ts';
import { mapHeaders } from '../../workflows/definition/seal-headers.ts';
import type { WorkspaceFile } from '../apply/workspace-file.ts';
import { readRows } from './read-rows.ts';

export interface ExportedWorkspace {
  file: WorkspaceFile;
  /** What the file does not say, because it is a secret. Each place is to be filled in before the file is applied elsewhere. */
  secrets: string[];
}

const channelSecrets = ['access_token', 'app_secret', 'verify_token'] as const;

/** The workspace as its file would describe it, with what people made in the console and without any secret. */
export async function exportWorkspace(connection: Connection, workspace_id: string): Promise<ExportedWorkspace> {
  const { workspace, settings, budget, prices, business_hours, retention_days, consent_words, workflows, ...lists } =
    await readRows(connection, workspace_id);
  const secrets = lists.channels.flatMap((_, index) => channelSecrets.map((member) => `/channels/${index}/${member}`));
  const opened = workflows.map(({ name, status, definition }, index) => {
    const bare = withoutHeaders(definition);
    if (bare.removed > 0) secrets.push(`/workflows/${index}: the values of ${bare.removed} headers`);
    return { name, status, ...bare.definition };
  });
  const named = Object.fromEntries(prices.map(({ category, fee_minor }) => [category, fee_minor]));
  const file = {
    workspace: withoutNull(workspace),
    ...withoutNull(settings ?? {}),
    ...(budget && { ai: budget }),
    ...(prices.length > 0 && { prices: named }),
    ...(business_hours && { business_hours: withoutNull(business_hours) }),
    ...(retention_days && { retention: { conversation_days: retention_days } }),
    ...(consent_words && { consent_words }),
    ...Object.fromEntries(
      Object.entries({ ...lists, workflows: opened }).flatMap(([list, rows]) =>
        rows.length === 0 ? [] : [[list, rows.map(withoutNull)]],
      ),
    ),
  };
  return { file: file as WorkspaceFile, secrets };
}

/** Headers of calls hold tokens, so their values stay here. */
function withoutHeaders(definition: Record<string, unknown>) {
  let removed = 0;
  const bare = mapHeaders(definition, () => {
    removed++;
    return '';
  });
  return { definition: bare, removed };
}

/** A member that has no value is absent from the file. */
function withoutNull(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
