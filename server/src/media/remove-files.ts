import type { JobHandler } from '../jobs/job.ts';
import type { Resources } from '../process/resources.ts';
import { readFileKeys, removeFiles } from './jobs.ts';

/** Removes bytes; tried again until the store has done it. */
export function removeFilesHandler({ files }: Resources): JobHandler {
  return {
    kind: removeFiles,
    concurrency: 4,
    group_concurrency: 1,
    async run({ group_id, payload }) {
      for (const key of readFileKeys(group_id, payload)) await files.remove(key);
      return { type: 'done' };
    },
  };
}
