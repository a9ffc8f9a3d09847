import type { AiState, KnowledgeSourceState } from '@majlis/console-api';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';

/** Paths of the API below `/console/v1`. */
export const agentsPath = (workspace_id: string) => `/workspaces/${workspace_id}/ai-agents`;
export const sourcesPath = (workspace_id: string) => `/workspaces/${workspace_id}/knowledge-sources`;

/** Others change agents, and agents spend credits, without an event of the live stream. */
const refetchMs = 30_000;
/** While a source is read. */
const waitingMs = 1_500;

export function useAiState(workspace_id: string) {
  const path = agentsPath(workspace_id);
  return useQuery({ queryKey: [path], queryFn: () => request<AiState>('GET', path), refetchInterval: refetchMs });
}

interface SourcesOfPage {
  data: KnowledgeSourceState[];
  next_cursor?: string;
}

/** The latest first. The list is read again soon while a source waits. */
export function useSources(workspace_id: string) {
  const path = sourcesPath(workspace_id);
  return useInfiniteQuery({
    queryKey: [path],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      request<SourcesOfPage>('GET', pageParam ? `${path}?cursor=${encodeURIComponent(pageParam)}` : path),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => status === 'waiting')) ? waitingMs : refetchMs,
  });
}

/** Reads agents and sources again, also where the inbox offers agents. */
export async function aiChanged(workspace_id: string): Promise<void> {
  const start = `/workspaces/${workspace_id}/`;
  await queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      [`${start}ai-agents`, `${start}ai/agents`, `${start}knowledge-sources`].includes(String(path)),
  });
}
