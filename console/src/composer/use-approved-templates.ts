import type { Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';

/** Read at each opening: after a refusal of a template, the list no longer has it. */
export function useApprovedTemplates(workspace_id: string) {
  const path = `/workspaces/${workspace_id}/chatapp/templates?status=approved`;
  return useQuery({ queryKey: [path], queryFn: () => request<{ data: Template[] }>('GET', path), staleTime: 0 });
}

type Named = Pick<Template, 'name' | 'language'>;

export function isTemplateNamed({ name, language }: Named, other: Partial<Named> | undefined): boolean {
  return name === other?.name && language === other.language;
}
