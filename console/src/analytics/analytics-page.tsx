import type { Membership } from '../app/shell.tsx';
import { Loading } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
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
        <Loading label={t('app.loading')} />
      )}
    </Page>
  );
}
