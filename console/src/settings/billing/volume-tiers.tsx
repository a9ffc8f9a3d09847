import type { Fees } from '@majlis/console-api';
import { Figures } from '../../analytics/chart/figures.tsx';
import { formatCount } from '../../analytics/format.ts';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { categoryName } from './fee-figures.tsx';

type Tier = Fees['volume_tiers'][number];

/** The tiers of the platform's prices by volume; nothing where the platform has reported none. */
export function VolumeTiers({ tiers }: { tiers: readonly Tier[] }) {
  if (tiers.length === 0) return null;
  return (
    <Figures
      title={t('billing.tiers')}
      hint={t('billing.tiers_hint')}
      file={t('billing.tiers')}
      columns={[
        { label: t('billing.category') },
        { label: t('billing.tier_region') },
        { label: t('billing.tier') },
        { label: t('billing.tier_month'), isNumber: true },
      ]}
      rows={tiers.map((tier) => ({
        key: `${tier.waba_id} ${tier.category} ${tier.region}`,
        cells: [
          { text: categoryName(tier.category), csv: tier.category },
          { text: isolated(tier.region), csv: tier.region },
          { text: tierText(tier), csv: `${tier.from_count ?? ''}:${tier.to_count ?? ''}` },
          { text: isolated(tier.effective_month ?? ''), csv: tier.effective_month ?? '' },
        ],
      }))}
    />
  );
}

function tierText({ from_count = 0, to_count }: Tier): string {
  const from = formatCount(from_count);
  if (to_count === undefined) return t('billing.tier_from', { from });
  return t('billing.tier_range', { from, to: formatCount(to_count) });
}
