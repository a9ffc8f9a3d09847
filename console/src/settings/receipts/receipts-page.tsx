import type { ReceiptKey, SignedReceipt } from '@majlis/console-api';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download, FileCheck, KeyRound } from 'lucide-react';
import type { Membership } from '../../live/membership.ts';
import { request } from '../../live/request.ts';
import { useUserName } from '../../live/users.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyBox } from '../../parts/copy-box.tsx';
import { Empty } from '../../parts/empty.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { isolated } from '../../words/isolated.ts';
import { fullTime, t } from '../../words/words.ts';
import { ErasedCountsList } from './erased-counts.tsx';
import styles from './receipts.module.css';

interface Props {
  membership: Membership;
  /** The receipt of this contact alone, as after its erasure. */
  object?: string | undefined;
}

interface ReceiptsOfPage {
  data: SignedReceipt[];
  next_cursor?: string;
}

/** The receipts of erasures, newest first, and what verifies them. */
export function ReceiptsPage({ membership: { workspace_id }, object: contact_id }: Props) {
  const base = `/workspaces/${workspace_id}/erasure-receipts`;
  const receipts = useInfiniteQuery({
    queryKey: [base, contact_id],
    initialPageParam: undefined as string | undefined,
    queryFn({ pageParam }) {
      const query = new URLSearchParams({
        ...(contact_id !== undefined && { contact_id }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      });
      return request<ReceiptsOfPage>('GET', `${base}?${query}`);
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    staleTime: 0,
  });
  const back = contact_id !== undefined && (
    <BackLink href={`/w/${workspace_id}/receipts`}>{t('receipts.all')}</BackLink>
  );
  return (
    <Page title={t('receipts.title')} hint={t('receipts.hint')} action={back}>
      <Loaded query={receipts}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              icon={<FileCheck aria-hidden />}
              title={t(contact_id === undefined ? 'receipts.empty' : 'receipts.gone')}
              {...(contact_id === undefined && { hint: t('receipts.empty_hint') })}
            />
          ) : (
            <>
              {contact_id !== undefined && <Notice kind="success">{t('receipts.done')}</Notice>}
              <List>
                {all.map((signed) => (
                  <ReceiptRow key={signed.receipt.id} workspace_id={workspace_id} signed={signed} />
                ))}
              </List>
            </>
          )
        }
      </Loaded>
      {receipts.hasNextPage && (
        <div>
          <Button isPending={receipts.isFetchingNextPage} onPress={() => void receipts.fetchNextPage()}>
            {t('receipts.more')}
          </Button>
        </div>
      )}
      <Verification />
    </Page>
  );
}

function ReceiptRow({ workspace_id, signed }: { workspace_id: string; signed: SignedReceipt }) {
  const { id, erased_at, actor, contact_id, deleted } = signed.receipt;
  const user = useUserName(workspace_id, actor.kind === 'user' ? actor.id : undefined);
  const time = fullTime(erased_at);
  const name = isolated(user ?? actor.id);
  return (
    <Row
      title={t('receipts.erased_at', { time })}
      end={
        <Button
          aria-label={t('receipts.download_of', { time })}
          onPress={() =>
            saveFile(`receipt-${id}.json`, 'application/json', `${JSON.stringify(signed, undefined, 2)}\n`)
          }
        >
          <Download size={16} aria-hidden />
          {t('receipts.download')}
        </Button>
      }
    >
      <div className={styles.meta}>
        <Soft>
          {t(actor.kind === 'user' ? 'receipts.by_user' : 'receipts.by_key', { name })} · {t('receipts.contact')}{' '}
          <bdi dir="ltr">{contact_id}</bdi>
        </Soft>
        <ErasedCountsList counts={deleted} />
      </div>
    </Row>
  );
}

const keysPath = '/receipt-keys';
const command = 'npx majlis receipt verify receipt.json --key majlis-receipts.pem';

function Verification() {
  const keys = useQuery({ queryKey: [keysPath], queryFn: () => request<{ data: ReceiptKey[] }>('GET', keysPath) });
  return (
    <Section title={t('receipts.verify')}>
      <div className={styles.verify}>
        <Soft>{t('receipts.verify_hint')}</Soft>
        <CopyBox text={command} label={t('receipts.command')} />
        <Loaded query={keys}>
          {({ data }) =>
            data.map(({ id, public_key, created_at }) => (
              <div key={id} className={styles.meta}>
                <Soft>{t('receipts.key_id', { id: isolated(id), time: fullTime(created_at) })}</Soft>
                <div>
                  <Button onPress={() => saveFile('majlis-receipts.pem', 'application/x-pem-file', public_key)}>
                    <KeyRound size={16} aria-hidden />
                    {t('receipts.key')}
                  </Button>
                </div>
              </div>
            ))
          }
        </Loaded>
      </div>
    </Section>
  );
}
