import type { FailureCount } from '@majlis/console-api';
import type { MessageAnalytics } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Suspense, use } from 'react';
import { causeOf } from '../conversation/thread/failure-cause.ts';
import { request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useTemplates } from '../templates/template-data.ts';
import { failureSentences } from '../words/failure-sentences.ts';
import { t } from '../words/words.ts';
import { Figures } from './chart/figures.tsx';
import type { DateRange } from './date-range.ts';
import { formatCount, formatShare } from './format.ts';
import styles from './range-bar.module.css';
import { useAddress } from './use-range.ts';

interface Props {
  workspace_id: string;
  range: DateRange;
}

/** What became of the messages of all templates or of one, and why some failed. */
export function MessageFigures({ workspace_id, range }: Props) {
  const { values, change } = useAddress();
  const templates = useTemplates(workspace_id).data?.data ?? [];
  const template = values.get('template') ?? undefined;
  const names = [
    ...new Set([...templates.map(({ name }) => name), ...(template === undefined ? [] : [template])]),
  ].sort();
  const search = new URLSearchParams({ ...range, ...(template !== undefined && { template }) });
  const path = `/workspaces/${workspace_id}/analytics/messages?${search}`;
  const failuresPath = `/workspaces/${workspace_id}/analytics/failures?${search}`;
  const messages = useQuery({ queryKey: [path], queryFn: () => request<MessageAnalytics>('GET', path) });
  const failures = useQuery({
    queryKey: [failuresPath],
    queryFn: async () => (await request<{ data: FailureCount[] }>('GET', failuresPath)).data,
  });
  return (
    <Section title={t('analytics.messages')}>
      <div className={styles.bar}>
        <Choice
          label={t('analytics.template')}
          options={[{ id: ' ', label: t('analytics.all_messages') }, ...names.map((id) => ({ id, label: id }))]}
          value={template ?? ' '}
          onChange={(next) => change({ template: next === ' ' ? undefined : next })}
        />
      </div>
      <Loaded query={messages}>{(figures) => <Funnel figures={figures} />}</Loaded>
      <Loaded query={failures}>
        {(rows) => (
          <Suspense fallback={<Skeleton shape="rows" />}>
            <Failures rows={rows} />
          </Suspense>
        )}
      </Loaded>
    </Section>
  );
}

const steps = ['sent', 'delivered', 'read', 'replied'] as const;

function Funnel({ figures }: { figures: MessageAnalytics }) {
  const { sent, failed } = figures;
  const rows = steps.map((step) => {
    const share = sent === 0 ? 0 : figures[step] / sent;
    return {
      key: step,
      cells: [
        { text: t(`analytics.${step}`) },
        { text: formatCount(figures[step]), csv: String(figures[step]), share },
        { text: sent === 0 ? '–' : formatShare(share), csv: sent === 0 ? '' : share.toFixed(4) },
      ],
    };
  });
  return (
    <Figures
      title={t('analytics.funnel')}
      hint={t('analytics.funnel_hint', { count: sent + failed, failed })}
      file={t('analytics.funnel')}
      columns={[
        { label: t('analytics.step') },
        { label: t('analytics.messages'), isNumber: true },
        { label: t('analytics.of_sent'), isNumber: true },
      ]}
      rows={rows}
    />
  );
}

function Failures({ rows }: { rows: readonly FailureCount[] }) {
  const sentences = use(failureSentences());
  if (rows.length === 0) return <Empty icon={<CircleCheck aria-hidden />} title={t('analytics.no_failures')} />;
  const most = Math.max(...rows.map(({ count }) => count));
  return (
    <Figures
      title={t('analytics.failures')}
      hint={t('analytics.failures_hint')}
      file={t('analytics.failures')}
      columns={[
        { label: t('analytics.reason') },
        { label: t('analytics.code'), isNumber: true },
        { label: t('analytics.messages'), isNumber: true },
      ]}
      rows={rows.map(({ code, error = '', count }) => {
        const cause = causeOf(code);
        return {
          key: code ?? error,
          cells: [
            { text: cause === 'other' ? error || sentences.other : sentences[cause] },
            { text: code ?? '–', csv: code ?? '' },
            { text: formatCount(count), csv: String(count), share: count / most },
          ],
        };
      })}
    />
  );
}
