import type { ChannelRef } from '../channels/queries.ts';
import type { NewJob } from '../jobs/job.ts';
import type { TemplateRef } from './queries.ts';

/** Synchronises the templates of a channel's account, now and every ten minutes. Group: the channel. */
export const syncTemplates = 'templates.sync_templates';

/** Creates a template at the platform. Group: a channel of its account; queue key: the template. */
export const submitTemplate = 'templates.submit_template';

/** Deletes a template at the platform. Group: a channel of its account. */
export const removeTemplate = 'templates.remove_template';

export function syncTemplatesJob({ workspace_id, channel_id }: ChannelRef, run_at: Date): NewJob {
  return {
    kind: syncTemplates,
    group_id: channel_id,
    payload: JSON.stringify({ workspace_id, channel_id } satisfies ChannelRef),
    run_at,
  };
}

export interface SubmissionRef extends TemplateRef {
  /** How often the platform refused the template with an unknown code. */
  doubtful_refusals?: number;
}

export function submitTemplateJob(ref: TemplateRef, channel_id: string, run_at: Date): NewJob {
  return {
    kind: submitTemplate,
    group_id: channel_id,
    queue_key: ref.template_id,
    payload: JSON.stringify(ref),
    run_at,
  };
}

export function removeTemplateJob(ref: TemplateRef, channel_id: string, run_at: Date): NewJob {
  return { kind: removeTemplate, group_id: channel_id, payload: JSON.stringify(ref), run_at };
}

export function readSubmissionRef(payload: string): SubmissionRef {
  return JSON.parse(payload) as SubmissionRef;
}

export function readTemplateRef(payload: string): TemplateRef {
  return JSON.parse(payload) as TemplateRef;
}
