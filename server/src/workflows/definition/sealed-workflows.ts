import { publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { head_bytes, type SecretBox } from '../../secrets/encrypt.ts';
import {
  firstId,
  type ListSealedRows,
  type SealedRow,
  type SealedRows,
  sealedPageSize,
} from '../../secrets/sealed-rows.ts';
import { resealHeaders, sealedInHeaders } from './seal-headers.ts';

interface Version {
  workspace_id: string;
  workflow_id: string;
  version: number;
  /** Null without anything sealed. Text, so that the update compares what was read. */
  definition: string | null;
}

const selectVersions = statement<Version>(`
  select workspace_id, workflow_id, version,
    case when strpos(definition::text, 'sealed(') > 0 then definition::text end as definition
  from workflow_versions where (workspace_id, workflow_id, version) > ($1, $2, $3)
  order by workspace_id, workflow_id, version limit $4`);

const updateDefinition = statement(`
  update workflow_versions set definition = $5
  where workspace_id = $1 and workflow_id = $2 and version = $3 and definition::text = $4`);

/** The headers of calls in all versions of workflows: runs use the version with which they began. */
export const sealedWorkflows: SealedRows = {
  what: 'workflows',
  remedy: 'apply their workspace files again',
  async list(connection, secretBox, { after = [firstId, firstId, '0'], ...wanted }) {
    // Definitions are long, so a statement reads a window of them, wanted or not.
    for (let from = after; ; ) {
      const window = await selectVersions(connection, [...from, sealedPageSize]);
      const rows = window.filter((row) => isWanted(row, wanted)).map((row) => present(row, secretBox));
      if (rows.length > 0 || window.length < sealedPageSize) return rows;
      from = positionOf(window.at(-1)!);
    }
  },
};

function positionOf({ workspace_id, workflow_id, version }: Version): string[] {
  return [workspace_id, workflow_id, String(version)];
}

function isWanted({ definition }: Version, { heads, is_among }: Omit<ListSealedRows, 'after'>): boolean {
  if (definition === null) return false;
  return sealedInHeaders(JSON.parse(definition)).some(
    (sealed) => heads.some((head) => head.equals(sealed.subarray(0, head_bytes))) === is_among,
  );
}

function present(row: Version, secretBox: SecretBox): SealedRow {
  const { workspace_id, workflow_id } = row;
  return {
    position: positionOf(row),
    names: {
      workspace_id: publicId('workspace', workspace_id),
      workflow_id: publicId('workflow', workflow_id),
      version: String(row.version),
    },
    reseal: (connection) => reseal(connection, secretBox, row),
  };
}

async function reseal(connection: Connection, secretBox: SecretBox, row: Version): Promise<void> {
  const { workspace_id, workflow_id, version } = row;
  const again = JSON.stringify(resealHeaders(JSON.parse(row.definition!), secretBox, workspace_id));
  await updateDefinition(connection, [workspace_id, workflow_id, version, row.definition, again]);
}
