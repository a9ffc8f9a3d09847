import { QueryClient } from '@tanstack/react-query';
import { listenToChanges } from './changes.ts';
import { answersChanged } from './followed-answer.ts';

/** The answers that pages of settings show. */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, networkMode: 'always' } },
});

/** Reads again what pages show of one workspace, or of all. */
export function settingsChanged(workspace_id?: string): void {
  const start = `/workspaces/${workspace_id ?? ''}`;
  void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(start) });
  answersChanged(workspace_id);
}

/** Drops what no page shows and may speak of a contact: an erased one would come back for a moment (danger C8). */
function forgetUnseenContacts(workspace_id: string): void {
  const starts = ['contacts', 'search/', 'conversations', 'messages/', 'proposals'].map(
    (of) => `/workspaces/${workspace_id}/${of}`,
  );
  queries.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey: [path] }) => starts.some((start) => String(path).startsWith(start)),
  });
}

listenToChanges({
  onChange({ kind, workspace_id }) {
    if (kind === 'member') settingsChanged(workspace_id);
    if (kind === 'contact' || kind === 'removed') forgetUnseenContacts(workspace_id);
  },
  onGap: () => settingsChanged(),
  onForget: () => queries.clear(),
});
