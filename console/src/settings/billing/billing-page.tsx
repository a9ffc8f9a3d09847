import type { Fees } from '@majlis/console-api';
import type { Usage, Wallet } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { Figures } from '../../analytics/chart/figures.tsx';
import { addDays, type DateRange } from '../../analytics/date-range.ts';
import { formatCount } from '../../analytics/format.ts';
import { RangeBar } from '../../analytics/range-bar.tsx';
import { type ChosenRange, useRange } from '../../analytics/use-range.ts';
import type { Membership } from '../../live/membership.ts';
import { request } from '../../live/request.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { t } from '../../words/words.ts';
import { Balance } from './balance.tsx';
import { FeeFigures } from './fee-figures.tsx';
import { VolumeTiers } from './volume-tiers.tsx';

/** The balance and how long it lasts, the fees, and what the workspace used. */
export function BillingPage({ membership: { workspace_id } }: { membership: Membership }) {
  const chosen = useRange(workspace_id);
  return (
    <Page title={t('nav.billing')} hint={t('billing.hint')}>
      {chosen ? <Report workspace_id={workspace_id} chosen={chosen} /> : <Skeleton shape="rows" />}
    </Page>
  );
}

/** Over so many days, so that a quiet weekend does not decide how long the balance lasts. */
const paceDays = 30;

function Report({ workspace_id, chosen }: { workspace_id: string; chosen: ChosenRange }) {
  const { range, isValid, today } = chosen;
  const walletPath = `/workspaces/${workspace_id}/wallet`;
  const wallet = useQuery({ queryKey: [walletPath], queryFn: () => request<Wallet>('GET', walletPath) });
  const pace = useFees(workspace_id, { from: addDays(today, 1 - paceDays), to: today });
  return (
    <>
      <Loaded query={wallet}>{(data) => <Balance wallet={data} pace={pace.data} days={paceDays} />}</Loaded>
      <RangeBar chosen={chosen} />
      {isValid && wallet.data && (
        <FeesOfRange workspace_id={workspace_id} range={range} currency={wallet.data.currency} />
      )}
      {isValid && <UsageOfRange workspace_id={workspace_id} range={range} />}
    </>
  );
}

function useFees(workspace_id: string, range: DateRange) {
  const path = `/workspaces/${workspace_id}/fees?${new URLSearchParams({ ...range })}`;
  return useQuery({ queryKey: [path], queryFn: () => request<Fees>('GET', path) });
}

interface RangeProps {
  workspace_id: string;
  range: DateRange;
}

function FeesOfRange({ workspace_id, range, currency }: RangeProps & { currency: string | undefined }) {
  const fees = useFees(workspace_id, range);
  return (
    <Section title={t('billing.fees')}>
      <Loaded query={fees}>
        {(data) => (
          <>
            <FeeFigures fees={data} range={range} currency={currency} />
            <VolumeTiers tiers={data.volume_tiers} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function UsageOfRange({ workspace_id, range }: RangeProps) {
  const path = `/workspaces/${workspace_id}/usage?${new URLSearchParams({ ...range })}`;
  const usage = useQuery({ queryKey: [path], queryFn: () => request<Usage>('GET', path) });
  return (
    <Section title={t('billing.usage')}>
      <Loaded query={usage}>{(data) => <UsageFigures usage={data} />}</Loaded>
    </Section>
  );
}

function UsageFigures({ usage: { messages_sent, ai_credits, seats, conversations } }: { usage: Usage }) {
  const figures = [
    { key: 'messages_sent', count: messages_sent },
    { key: 'marketing', count: conversations.marketing },
    { key: 'utility', count: conversations.utility },
    { key: 'service', count: conversations.service },
    { key: 'ai_credits', count: ai_credits },
    { key: 'seats', count: seats },
  ] as const;
  return (
    <Figures
      title={t('billing.usage_title')}
      hint={t('billing.usage_hint')}
      file={t('billing.usage')}
      columns={[{ label: t('billing.what') }, { label: t('billing.count'), isNumber: true }]}
      rows={figures.map(({ key, count }) => ({
        key,
        cells: [{ text: t(`billing.used_${key}`) }, { text: formatCount(count), csv: String(count) }],
      }))}
    />
  );
}
