import { timeOfId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import type { FileKey } from '../files/file-store.ts';
import type { JobHandler } from '../jobs/job.ts';
import { repeatJob } from '../jobs/repeat-job.ts';
import type { Resources } from '../process/resources.ts';
import { sweepMedia } from './jobs.ts';
import { findUnknown, listOld, type MediaPosition, type OldMedia } from './queries.ts';
import { removeUploads } from './remove-media.ts';

const daySeconds = 86_400;
const portion = 500;
// Bytes precede their row. After this time, bytes without a row never get one.
const rowlessAfterMs = daySeconds * 1000;

/** Once a day, removes uploads that were never used, bytes without a row, and partial files. */
export function sweepMediaHandler(resources: Resources): JobHandler {
  const { config, pool, clock, files } = resources;

  async function sweepUploads(): Promise<void> {
    const before = new Date(clock.nowMs() - config.unusedUploadDays * daySeconds * 1000);
    let after: MediaPosition | undefined = { created_at: new Date(0), id: null };
    while (after) {
      const old: OldMedia[] = await listOld(pool, before, after, portion);
      const unused = groupByWorkspace(old.filter(({ is_named }) => !is_named));
      // The use is checked again under a lock: a file that is being sent at this moment stays.
      for (const [workspace_id, ids] of unused) await transaction(pool, (tx) => removeUploads(tx, workspace_id, ids));
      after = old.at(-1);
    }
  }

  async function sweepFiles(): Promise<void> {
    const before = clock.nowMs() - rowlessAfterMs;
    let keys: FileKey[] = [];
    const removeUnknown = async () => {
      for (const key of await findUnknown(pool, keys)) await files.remove(key);
      keys = [];
    };
    for await (const key of files.list()) {
      if (timeOfId(key.id) < before) keys.push(key);
      if (keys.length === portion) await removeUnknown();
    }
    await removeUnknown();
  }

  return repeatJob(resources, {
    kind: sweepMedia,
    every_seconds: daySeconds,
    async perform() {
      await files.removeLeftovers();
      await sweepUploads();
      await sweepFiles();
    },
  });
}

function groupByWorkspace(keys: readonly FileKey[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { workspace_id, id } of keys) ids.set(workspace_id, [...(ids.get(workspace_id) ?? []), id]);
  return ids;
}
