import type { NewJob } from '../jobs/job.ts';

/** Takes a tag, a stage or a field from the rest of the contacts. Group: the workspace. */
export const rewriteContactsKind = 'contacts.rewrite_contacts';

export type Rewriting =
  | { of: 'tag'; from: string; to: string | null }
  | { of: 'stage'; from: string; to: string | null }
  | { of: 'custom_field'; from: string };

export interface ContactRewrite {
  workspace_id: string;
  rewriting: Rewriting;
  /** The last contact that is done. */
  after: string | null;
}

export function rewriteContactsJob(rewrite: ContactRewrite, run_at: Date): NewJob {
  return { kind: rewriteContactsKind, group_id: rewrite.workspace_id, payload: JSON.stringify(rewrite), run_at };
}

export function readContactRewrite(payload: string): ContactRewrite {
  return JSON.parse(payload) as ContactRewrite;
}
