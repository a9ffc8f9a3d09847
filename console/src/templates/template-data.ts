import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import type { Broadcast, Template } from '@majlis/contract';
import { useLiveQuery } from '../live/live-query.ts';
import { request } from '../live/request.ts';

/** The path of the API below `/console/v1`, and of the pages. */
export const templatesPath = (workspace_id: string) => `/workspaces/${workspace_id}/chatapp/templates`;
export const templatesPage = (workspace_id: string) => `/w/${workspace_id}/templates`;

const isTemplate = ({ kind }: LiveChange | LiveRemoval) => kind === 'template';

/** All templates, with their reviews as they come. */
export function useTemplates(workspace_id: string) {
  return useLiveQuery<{ data: Template[] }>(templatesPath(workspace_id), isTemplate);
}

const waiting: readonly string[] = ['scheduled', 'sending'] satisfies Broadcast['status'][];
const mostPages = 20;

/** How many broadcasts still have to send the template. */
export async function countWaitingBroadcasts(workspace_id: string, template: Template): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;
    const path = `/workspaces/${workspace_id}/broadcasts${query}`;
    const { data, next_cursor } = await request<{ data: Broadcast[]; next_cursor?: string }>('GET', path);
    count += data.filter(
      ({ status, template: { name, language } = {} }) =>
        waiting.includes(status) && name === template.name && language === template.language,
    ).length;
    cursor = next_cursor;
    if (cursor === undefined) break;
  }
  return count;
}
