import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import type { Template } from '@majlis/contract';
import { useLiveQuery } from '../live/live-query.ts';

const isOfTemplates = ({ kind }: LiveChange | LiveRemoval) => kind === 'template';

/** Read at each opening too: after a refusal of a template, the list no longer has it. */
export function useApprovedTemplates(workspace_id: string) {
  const path = `/workspaces/${workspace_id}/chatapp/templates?status=approved`;
  return useLiveQuery<{ data: Template[] }>(path, isOfTemplates);
}

type Named = Pick<Template, 'name' | 'language'>;

export function isTemplateNamed({ name, language }: Named, other: Partial<Named> | undefined): boolean {
  return name === other?.name && language === other.language;
}
