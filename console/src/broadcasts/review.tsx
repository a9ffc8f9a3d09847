import type { BroadcastPreview } from '@majlis/console-api';
import type { Broadcast, BroadcastCreate } from '@majlis/contract';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useWorkspace } from '../live/directory.ts';
import { makeKey } from '../live/make-key.ts';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Counts } from '../parts/counts.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Notice } from '../parts/notice.tsx';
import { Section } from '../parts/page.tsx';
import { tell } from '../parts/toasts.ts';
import { numberText } from '../words/amounts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { broadcastsPage, statesPath } from './broadcast-data.ts';
import { exclusionWords } from './broadcast-words.ts';
import styles from './broadcasts.module.css';
import type { Checked } from './checked.ts';
import { CostAndPace } from './cost-and-pace.tsx';
import { StartTime, useStartTime } from './start-time.tsx';
import { timeIn } from './time-in.ts';
import { WalkThrough } from './walk-through.tsx';

interface Props {
  workspace_id: string;
  name: string;
  checked: Checked;
  onBack: () => void;
}

/** Whom the broadcast reaches, whom not and why, what it costs and when it starts. Nothing is stored before the last press. */
export function Review({ workspace_id, name, checked, onBack }: Props) {
  const { request: body, template, preview } = checked;
  const [isAsking, setAsking] = useState(false);
  const [idempotency_key] = useState(makeKey);
  const [, navigate] = useLocation();
  const timeZone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const start = useStartTime(timeZone);
  const [startFault, setStartFault] = useState<string>();
  const { reachable, more, total, checked: count } = preview;
  // Beyond what was checked, nobody knows yet who may be written to.
  const isWhole = !more && count === total;

  function ask() {
    const fault = start.faultOf();
    setStartFault(fault);
    if (fault === undefined) setAsking(true);
  }

  async function create() {
    const refused = new Set(preview.refused_entries);
    const { recipients } = body.audience;
    const audience = recipients ? { recipients: recipients.filter((_, index) => !refused.has(index)) } : body.audience;
    const made = await request<Broadcast>(
      'POST',
      `/workspaces/${workspace_id}/broadcasts`,
      {
        ...body,
        name,
        audience,
        ...(start.moment !== undefined && { send_at: start.moment }),
      } satisfies BroadcastCreate,
      { idempotency_key, timeout_ms: 60_000 },
    );
    await queries.invalidateQueries({ queryKey: [statesPath(workspace_id)] });
    tell(t(start.moment === undefined ? 'broadcasts.started' : 'broadcasts.planned'));
    navigate(`${broadcastsPage(workspace_id)}/${made.id}`);
  }

  return (
    <>
      <Reach preview={preview} />
      {!isWhole && (
        <Notice>{t('broadcasts.checked_part', { count: numberText(count), total: numberText(total) })}</Notice>
      )}
      <div className={styles.sides}>
        <div className={styles.column}>
          <LeftOut preview={preview} />
          <CostAndPace preview={preview} timeZone={timeZone} />
          <StartTime start={start} timeZone={timeZone} fault={startFault} />
          {reachable === 0 && isWhole && <Notice kind="danger">{t('broadcasts.nobody')}</Notice>}
          <div className={styles.actions}>
            <Button onPress={onBack}>{t('broadcasts.change')}</Button>
            <Button look="primary" isDisabled={reachable === 0 && isWhole} onPress={ask}>
              {t(start.isLater ? 'broadcasts.plan' : 'broadcasts.start')}
            </Button>
          </div>
        </div>
        <WalkThrough template={template} recipients={preview.reached_first} reachable={reachable} />
      </div>
      {isAsking && (
        <AskDialog
          title={t('broadcasts.start_title', { name: isolated(name) })}
          hint={
            start.moment === undefined
              ? t(isWhole ? 'broadcasts.start_hint' : 'broadcasts.start_hint_many', {
                  count: isWhole ? reachable : total,
                })
              : t('broadcasts.plan_hint', { count: isWhole ? reachable : total, time: timeIn(start.moment, timeZone) })
          }
          action={t(start.isLater ? 'broadcasts.plan' : 'broadcasts.start')}
          look="primary"
          act={create}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Reach({ preview: { total, reachable, checked, more } }: { preview: BroadcastPreview }) {
  return (
    <Counts
      counts={[
        { name: t('broadcasts.count_total'), text: `${numberText(total)}${more ? '+' : ''}` },
        { name: t('broadcasts.count_reachable'), text: numberText(reachable) },
        { name: t('broadcasts.count_out'), text: numberText(checked - reachable) },
      ]}
    />
  );
}

function LeftOut({ preview: { left_out, left_out_first } }: { preview: BroadcastPreview }) {
  if (left_out.length === 0) {
    return (
      <Section title={t('broadcasts.left_out')}>
        <p>{t('broadcasts.nobody_left_out')}</p>
      </Section>
    );
  }
  return (
    <Section title={t('broadcasts.left_out')}>
      <List>
        {left_out.map(({ reason, count }) => (
          <Row
            key={reason}
            start={<strong className={styles.count}>{numberText(count)}</strong>}
            title={<span className={styles.reason}>{t(exclusionWords[reason])}</span>}
          >
            <Soft>
              {left_out_first
                .filter((one) => one.reason === reason)
                .slice(0, 5)
                .map(({ to, name, params }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an entry may stand twice, and none moves.
                  <span key={index}>
                    {index > 0 && ' · '}
                    {name !== undefined && <bdi>{name}</bdi>} <bdi dir="ltr">{to || params[0]}</bdi>
                  </span>
                ))}
            </Soft>
          </Row>
        ))}
      </List>
    </Section>
  );
}
