import { listenToChanges } from '../live/changes.ts';
import { createFollowed, type Followed, useFollowed } from '../live/followed.ts';
import { request } from '../live/request.ts';
import { useTitle } from '../parts/use-title.ts';
import { t } from '../words/words.ts';

const counts = new Map<string, Followed<number>>();
const betweenReadsMs = 1_000;
const countedKinds = new Set(['message', 'conversation', 'assignment', 'read_mark', 'removed', 'member']);

listenToChanges({
  onChange({ kind, workspace_id }) {
    if (countedKinds.has(kind)) counts.get(workspace_id)?.invalidate();
  },
  onGap() {
    for (const followed of counts.values()) followed.invalidate();
  },
  onForget: () => counts.clear(),
});

function unreadCount(workspace_id: string): Followed<number> {
  const known = counts.get(workspace_id);
  if (known) return known;
  const read = async () => {
    const path = `/workspaces/${workspace_id}/unread-count`;
    return (await request<{ conversations: number }>('GET', path)).conversations;
  };
  const followed = createFollowed(read, { betweenReadsMs, whileHidden: true });
  counts.set(workspace_id, followed);
  return followed;
}

const mostShown = 99;

interface Props {
  workspace_id: string | undefined;
  /** The page that is open. */
  where?: string;
}

/** The title of the tab: the page, and how many conversations wait for the person, also while the tab is hidden. */
export function PageTitle({ workspace_id, where }: Props) {
  return workspace_id ? <CountedTitle workspace_id={workspace_id} where={where} /> : <Title count={0} where={where} />;
}

function CountedTitle({ workspace_id, where }: { workspace_id: string; where: string | undefined }) {
  return <Title count={useFollowed(unreadCount(workspace_id)).data ?? 0} where={where} />;
}

function Title({ count, where }: { count: number; where: string | undefined }) {
  const shown = count > mostShown ? `${mostShown}+` : String(count);
  const place = where === undefined ? t('app.name') : `${where} · ${t('app.name')}`;
  useTitle(count > 0 ? t('notice.title', { count: shown, place }) : place);
  return null;
}
