import { QueryClient } from '@tanstack/react-query';

/** The answers that pages of settings show. */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, networkMode: 'always' } },
});

/** Reads again what pages show of one workspace, or of all. */
export function settingsChanged(workspace_id?: string): void {
  const start = `/workspaces/${workspace_id ?? ''}`;
  void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(start) });
}
