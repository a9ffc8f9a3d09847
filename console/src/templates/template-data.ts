import type { ComingCategory, LiveChange, LiveRemoval } from '@majlis/console-api';
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

/** The announced categories by the ids of the templates; empty until they are read. */
export function useComingCategories(workspace_id: string): ReadonlyMap<string, ComingCategory> {
  const path = `/workspaces/${workspace_id}/chatapp/coming-categories`;
  const { data } = useLiveQuery<{ data: ComingCategory[] }>(path, isTemplate);
  return new Map(data?.data.map((coming) => [coming.template_id, coming]));
}
