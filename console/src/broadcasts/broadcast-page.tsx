import type { BroadcastDetails } from '@majlis/console-api';
import { useState } from 'react';
import { TemplatePreview } from '../composer/template-preview.tsx';
import { slotsOf } from '../composer/template-slots.ts';
import { useChannelName, useStages, useWorkspace } from '../live/directory.ts';
import { Failure } from '../live/request.ts';
import { useUserName } from '../live/users.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page, Section } from '../parts/page.tsx';
import { useTemplates } from '../templates/template-data.ts';
import { numberText } from '../words/amounts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { broadcastsPage, useBroadcastDetails } from './broadcast-data.ts';
import { shownStatus, statusKinds, statusText } from './broadcast-words.ts';
import styles from './broadcasts.module.css';
import { Failures } from './failures.tsx';
import { Funnel } from './funnel.tsx';
import { Progress } from './progress.tsx';
import { Recipients, type ShownRecipients } from './recipients.tsx';
import { SteerBroadcast } from './steer-broadcast.tsx';
import { timeIn } from './time-in.ts';

interface Props {
  workspace_id: string;
  id: string;
}

/** One broadcast: how far it is, why some were not reached, and what can be done with it. */
export function BroadcastPage({ workspace_id, id }: Props) {
  const details = useBroadcastDetails(workspace_id, id);
  const isUnknown = details.error instanceof Failure && details.error.code === 'not_found';
  const back = <BackLink href={broadcastsPage(workspace_id)}>{t('broadcasts.back')}</BackLink>;
  if (isUnknown) {
    return (
      <Page title={t('broadcasts.unknown')} action={back}>
        <p>{t('broadcasts.unknown_hint')}</p>
      </Page>
    );
  }
  return (
    <Page title={details.data?.broadcast.name ?? t('broadcasts.title')} action={back}>
      <Loaded query={details}>{(data) => <Details workspace_id={workspace_id} details={data} />}</Loaded>
    </Page>
  );
}

function Details({ workspace_id, details }: { workspace_id: string; details: BroadcastDetails }) {
  const { broadcast, created_by, created_at, waiting, failures } = details;
  const { id, channel_id = '', template, send_at, counts } = broadcast;
  const [shown, setShown] = useState<ShownRecipients>({ status: 'all' });
  const timeZone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const channel = useChannelName(workspace_id, channel_id);
  const creator = useUserName(workspace_id, created_by);
  const status = shownStatus(details);
  return (
    <>
      <div className={styles.head}>
        <div className={styles.badges}>
          <Badge kind={statusKinds[status]}>{statusText(status)}</Badge>
          {channel !== undefined && (
            <Badge>
              <bdi>{channel}</bdi>
            </Badge>
          )}
          <Badge>
            <bdi dir="ltr">{template.name}</bdi>
          </Badge>
        </div>
        <SteerBroadcast workspace_id={workspace_id} details={details} />
      </div>
      <StateNotice workspace_id={workspace_id} details={details} timeZone={timeZone} />
      <div className={styles.sides}>
        <div className={styles.column}>
          <Section title={t('broadcasts.progress')}>
            <Progress state={details} />
            <p role="status" className={styles.soft}>
              {t('broadcasts.progress_of', {
                done: numberText(status === 'scheduled' ? 0 : counts.total - (counts.queued ?? 0)),
                total: numberText(counts.total),
              })}
              {waiting > 0 && status !== 'scheduled' && ` · ${t('broadcasts.waiting', { count: waiting })}`}
            </p>
            <Funnel counts={counts} onShow={(next) => setShown({ status: next })} />
          </Section>
          {failures.length > 0 && (
            <Section title={t('broadcasts.failures')}>
              <Failures
                failures={failures}
                reason={shown.reason}
                onShow={(reason) => setShown({ status: 'failed', reason })}
              />
            </Section>
          )}
        </div>
        <aside className={styles.aside}>
          <SentTemplate workspace_id={workspace_id} template={template} />
          <dl className={styles.facts}>
            <Fact name={t('broadcasts.audience')}>
              <AudienceText workspace_id={workspace_id} details={details} />
            </Fact>
            {send_at && <Fact name={t('broadcasts.starts')}>{timeIn(send_at, timeZone)}</Fact>}
            <Fact name={t('broadcasts.created')}>
              {creator !== undefined && (
                <>
                  <bdi>{creator}</bdi>
                  {' · '}
                </>
              )}
              {timeIn(created_at, timeZone)}
            </Fact>
          </dl>
        </aside>
      </div>
      <Recipients
        workspace_id={workspace_id}
        id={id}
        name={broadcast.name}
        details={details}
        shown={shown}
        onShow={setShown}
      />
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function AudienceText({ workspace_id, details }: { workspace_id: string; details: BroadcastDetails }) {
  const { tags, stage_id } = details.broadcast.audience;
  const stages = useStages(workspace_id);
  if (tags) return <bdi>{tags.join(', ')}</bdi>;
  if (stage_id) return <bdi>{stages.find(({ id }) => id === stage_id)?.name ?? t('broadcasts.by_stage')}</bdi>;
  return t('broadcasts.by_list');
}

interface NoticeProps {
  workspace_id: string;
  details: BroadcastDetails;
  timeZone: string;
}

/** Why nothing moves, where nothing does. */
function StateNotice({ workspace_id, details, timeZone }: NoticeProps) {
  const { broadcast, paused, paused_at, paused_by, waiting, handed_over, pace } = details;
  const name = useUserName(workspace_id, paused_by);
  if (paused) {
    return (
      <Notice>
        {t('broadcasts.paused_by', {
          name: isolated(name ?? t('broadcasts.somebody')),
          time: paused_at ? timeIn(paused_at, timeZone) : '',
        })}{' '}
        {t('broadcasts.paused_hint', { waiting, leaving: handed_over })}
      </Notice>
    );
  }
  if (broadcast.status === 'sending' && waiting > 0 && pace.places === 0) {
    return (
      <Notice>
        {t('broadcasts.tier_reached', { tier: numberText(pace.messaging_tier ?? 0) })}{' '}
        {pace.next_at && t('broadcasts.tier_next', { time: timeIn(pace.next_at, timeZone) })}
      </Notice>
    );
  }
  if (broadcast.status === 'cancelled') return <Notice>{t('broadcasts.cancelled_hint')}</Notice>;
  return null;
}

const noFile = { choose: () => {}, remove: () => {} };

function SentTemplate({
  workspace_id,
  template,
}: {
  workspace_id: string;
  template: { name: string; language: string };
}) {
  const templates = useTemplates(workspace_id);
  const found = templates.data?.data.find(
    ({ name, language }) => name === template.name && language === template.language,
  );
  if (!found) return null;
  const values = slotsOf(found).map(({ example = '' }) => example);
  return <TemplatePreview template={found} values={values} file={noFile} />;
}
