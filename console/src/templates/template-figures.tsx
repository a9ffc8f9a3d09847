import type { MessageAnalytics, Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { rangeOf, todayIn } from '../analytics/date-range.ts';
import { formatCount, formatShare } from '../analytics/format.ts';
import { useWorkspace } from '../live/directory.ts';
import { request } from '../live/request.ts';
import { serverNow } from '../live/session.ts';
import { Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import styles from './template-figures.module.css';

const steps = ['sent', 'delivered', 'read', 'replied', 'failed'] as const;

/** What became of the messages of a template in the last 30 days. */
export function TemplateFigures({ workspace_id, name }: { workspace_id: string } & Pick<Template, 'name'>) {
  const timezone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const range = rangeOf('last_30', todayIn(timezone, serverNow()));
  const search = new URLSearchParams({ ...range, template: name });
  const path = `/workspaces/${workspace_id}/analytics/messages?${search}`;
  const figures = useQuery({ queryKey: [path], queryFn: () => request<MessageAnalytics>('GET', path) });
  return (
    <Section title={t('templates.figures')}>
      <Loaded query={figures}>
        {(counts) => (
          <>
            <dl className={styles.figures}>
              {steps.map((step) => (
                <div key={step}>
                  <dt>{t(`templates.figure_${step}`)}</dt>
                  <dd>
                    <span>{formatCount(counts[step])}</span>
                    {step !== 'sent' && counts.sent + counts.failed > 0 && (
                      <small>{formatShare(counts[step] / baseOf(step, counts))}</small>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
            <Soft>
              {t('templates.figures_hint')}{' '}
              <Link href={`/w/${workspace_id}/analytics?${new URLSearchParams({ template: name })}`}>
                {t('templates.figures_more')}
              </Link>
            </Soft>
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A failed message was never sent, so its share is one of all. */
function baseOf(step: (typeof steps)[number], { sent, failed }: MessageAnalytics): number {
  return step === 'failed' ? sent + failed : Math.max(sent, 1);
}
