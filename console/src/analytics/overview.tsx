import type { AnalyticsOverview } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useStages } from '../live/directory.ts';
import { request } from '../live/request.ts';
import { Counts } from '../parts/counts.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { t } from '../words/words.ts';
import { Figures } from './chart/figures.tsx';
import { formatCount } from './format.ts';

const refetchMs = 30_000;
const counts = ['open', 'unreplied', 'unassigned', 'closed'] as const;

/** The conversations as they stand now. */
export function Overview({ workspace_id }: { workspace_id: string }) {
  const path = `/workspaces/${workspace_id}/analytics/overview`;
  const overview = useQuery({
    queryKey: [path],
    queryFn: () => request<AnalyticsOverview>('GET', path),
    refetchInterval: refetchMs,
  });
  return (
    <Loaded query={overview}>
      {(data) => (
        <>
          <Counts
            label={t('analytics.now')}
            counts={counts.map((name) => ({
              name: t(name === 'closed' ? 'analytics.closed_now' : `analytics.${name}`),
              text: formatCount(data[name]),
            }))}
          />
          <Stages workspace_id={workspace_id} counts={data.stages} />
        </>
      )}
    </Loaded>
  );
}

function Stages({ workspace_id, counts: byStage }: { workspace_id: string; counts: Readonly<Record<string, number>> }) {
  const stages = useStages(workspace_id);
  if (stages.length === 0) return null;
  const most = Math.max(1, ...Object.values(byStage));
  const rows = stages.map(({ id, name, emoji }) => {
    const count = byStage[id] ?? 0;
    return {
      key: id,
      cells: [
        { text: emoji === undefined ? name : `${emoji} ${name}`, csv: name },
        { text: formatCount(count), csv: String(count), share: count / most },
      ],
    };
  });
  return (
    <Figures
      title={t('analytics.stages')}
      hint={t('analytics.stages_hint')}
      columns={[{ label: t('analytics.stage') }, { label: t('analytics.conversations'), isNumber: true }]}
      rows={rows}
      file={t('analytics.stages')}
    />
  );
}
