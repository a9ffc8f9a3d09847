import type { BroadcastDetails, BroadcastRecipientState, RecipientFilter } from '@majlis/console-api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { attempt } from '../app/attempt.ts';
import { request } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import { statePath, useFollowedBroadcasts } from './broadcast-data.ts';
import { recipientWords } from './broadcast-words.ts';
import styles from './broadcasts.module.css';
import { exportRecipients } from './export-recipients.ts';
import { FailureSentence } from './failures.tsx';

export interface ShownRecipients {
  status: RecipientFilter | 'all';
  reason?: string;
}

interface RecipientsOfPage {
  data: BroadcastRecipientState[];
  next_cursor?: string;
}

interface Props {
  workspace_id: string;
  id: string;
  name: string;
  details: BroadcastDetails;
  shown: ShownRecipients;
  onShow: (shown: ShownRecipients) => void;
}

const filters = ['all', 'waiting', 'queued', 'sent', 'delivered', 'read', 'replied', 'failed'] as const;

/** The recipients, each with what became of the message; by status and by reason. */
export function Recipients({ workspace_id, id, name, details, shown, onShow }: Props) {
  const path = `${statePath(workspace_id, id)}/recipients`;
  useFollowedBroadcasts([path], id);
  const { status, reason } = shown;
  const recipients = useInfiniteQuery({
    queryKey: [path, status, reason],
    initialPageParam: undefined as string | undefined,
    queryFn({ pageParam }) {
      const query = new URLSearchParams({
        ...(status !== 'all' && { status }),
        ...(reason !== undefined && { reason }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      });
      return request<RecipientsOfPage>('GET', `${path}?${query}`);
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const chosen = details.failures.find((failure) => failure.reason === reason);
  return (
    <Section title={t('broadcasts.recipients')}>
      <div className={styles.filters}>
        <Choice
          label={t('broadcasts.recipient_status')}
          options={filters.map((option) => ({
            id: option,
            label: option === 'all' ? t('broadcasts.recipient_all') : t(recipientWords[option]),
          }))}
          value={status}
          onChange={(next) => onShow({ status: next })}
        />
        {chosen && (
          <p className={styles.chosen}>
            <FailureSentence code={chosen.code} error={chosen.error} />
            <Button look="quiet" onPress={() => onShow({ status: 'failed' })}>
              {t('broadcasts.all_reasons')}
            </Button>
          </p>
        )}
        <ExportButton workspace_id={workspace_id} id={id} name={name} />
      </div>
      <Loaded query={recipients}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          return all.length === 0 ? (
            <Empty icon={<Users aria-hidden />} title={t('broadcasts.no_recipients')} />
          ) : (
            <List>
              {all.map((recipient) => (
                <RecipientRow key={recipient.to} workspace_id={workspace_id} recipient={recipient} />
              ))}
            </List>
          );
        }}
      </Loaded>
      {recipients.hasNextPage && (
        <div className={styles.actions}>
          <Button isPending={recipients.isFetchingNextPage} onPress={() => void recipients.fetchNextPage()}>
            {t('broadcasts.more')}
          </Button>
        </div>
      )}
    </Section>
  );
}

function RecipientRow({ workspace_id, recipient }: { workspace_id: string; recipient: BroadcastRecipientState }) {
  const { to, name, params, status, code, error, conversation_id, contact_id, replied_at } = recipient;
  const target = conversation_id ? `inbox/${conversation_id}` : contact_id && `contacts/${contact_id}`;
  const label = name === undefined ? <bdi dir="ltr">{to}</bdi> : <bdi>{name}</bdi>;
  return (
    <Row
      title={target ? <Link href={`/w/${workspace_id}/${target}`}>{label}</Link> : label}
      end={
        <>
          {replied_at && <Badge kind="accent">{t('broadcasts.recipient_replied')}</Badge>}
          <Badge kind={status === 'failed' ? 'warning' : 'plain'}>{t(recipientWords[status])}</Badge>
        </>
      }
    >
      {(name !== undefined || params.length > 0) && (
        <Soft>
          {name !== undefined && <bdi dir="ltr">{to}</bdi>}
          {name !== undefined && params.length > 0 && ' · '}
          {params.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: values have no other name, and none moves.
            <span key={index}>
              {index > 0 && ' · '}
              <bdi>{value}</bdi>
            </span>
          ))}
        </Soft>
      )}
      {status === 'failed' && <FailureSentence code={code} error={error} />}
    </Row>
  );
}

function ExportButton({ workspace_id, id, name }: { workspace_id: string; id: string; name: string }) {
  const [read, setRead] = useState<number>();
  async function start() {
    setRead(0);
    await attempt(async () => {
      const count = await exportRecipients({ workspace_id, id, name }, setRead);
      tell(t('broadcasts.exported', { count }));
    });
    setRead(undefined);
  }
  return (
    <Button isPending={read !== undefined} onPress={() => void start()}>
      <Download size={16} aria-hidden />
      {read === undefined ? t('broadcasts.export') : t('broadcasts.exporting', { count: read })}
    </Button>
  );
}
