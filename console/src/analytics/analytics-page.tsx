import type { Membership } from '../live/membership.ts';
import { Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { t } from '../words/words.ts';
import { ConversationFigures } from './conversation-figures.tsx';
import { MessageFigures } from './message-figures.tsx';
import { Overview } from './overview.tsx';
import { RangeBar } from './range-bar.tsx';
import { useRange } from './use-range.ts';

/** The conversations as they stand, and what happened on chosen days. */
export function AnalyticsPage({ membership: { workspace_id } }: { membership: Membership }) {
  const chosen = useRange(workspace_id);
  return (
    <Page title={t('nav.analytics')} hint={t('analytics.hint')}>
      <Overview workspace_id={workspace_id} />
      {chosen ? (
        <>
          <RangeBar chosen={chosen} />
          {chosen.isValid && (
            <>
              <ConversationFigures workspace_id={workspace_id} range={chosen.range} />
              <MessageFigures workspace_id={workspace_id} range={chosen.range} />
            </>
          )}
        </>
      ) : (
        <Skeleton shape="rows" />
      )}
    </Page>
  );
}
