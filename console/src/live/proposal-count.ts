import { listenToChanges } from './changes.ts';
import { createFollowed, type Followed, useFollowed } from './followed.ts';
import { request } from './request.ts';

interface ProposalCount {
  waiting: number;
}

const counts = new Map<string, Followed<ProposalCount>>();

function followCount(workspace_id: string): Followed<ProposalCount> {
  const known = counts.get(workspace_id);
  if (known) return known;
  const path = `/workspaces/${workspace_id}/proposals/count`;
  // Until the first change, the counts of the views have the number.
  const followed: Followed<ProposalCount> = createFollowed(() => request('GET', path), {
    isKeptElsewhere: () => followed.get().data === undefined,
  });
  counts.set(workspace_id, followed);
  return followed;
}

listenToChanges({
  onChange({ kind, workspace_id }) {
    const followed = counts.get(workspace_id);
    // Another assignee changes what a limited person sees. The counts of the views are read again then, too.
    const isMoved = (kind === 'assignment' || kind === 'removed') && followed?.get().data !== undefined;
    if (kind === 'proposal' || isMoved) followed?.invalidate();
  },
  onGap() {
    for (const followed of counts.values()) if (followed.get().data !== undefined) followed.invalidate();
  },
  onForget: () => counts.clear(),
});

/** How many proposals wait for a decision. `counted`: as the counts of the views have it, which are read less often. */
export function useProposalCount(workspace_id: string, counted: number | undefined): number {
  return useFollowed(followCount(workspace_id)).data?.waiting ?? counted ?? 0;
}
