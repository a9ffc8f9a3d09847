import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import type { Template } from '@majlis/contract';
import { useLiveQuery } from '../live/live-query.ts';

/** The path of the API below `/console/v1`, and of the pages. */
export const templatesPath = (workspace_id: string) => `/workspaces/${workspace_id}/chatapp/templates`;
export const templatesPage = (workspace_id: string) => `/w/${workspace_id}/templates`;

const isTemplate = ({ kind }: LiveChange | LiveRemoval) => kind === 'template';

/** All templates, with their reviews as they come. */
export function useTemplates(workspace_id: string) {
  return useLiveQuery<{ data: Template[] }>(templatesPath(workspace_id), isTemplate);
}
