import type { ImportState, LeftOutRow, LiveChange, LiveRemoval } from '@majlis/console-api';
import { Ban, Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { attempt } from '../../app/attempt.ts';
import { useLiveQuery } from '../../live/live-query.ts';
import { request } from '../../live/request.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { isolated } from '../../words/isolated.ts';
import { fullTime, t } from '../../words/words.ts';
import { downloadCsv } from './download-csv.ts';
import { faultText } from './fault-text.ts';
import styles from './import.module.css';

const concerns = ({ kind }: LiveChange | LiveRemoval) => kind === 'contact_import';

/** The imports that the service performs or has performed, with their progress. */
export function ImportList({ workspace_id }: { workspace_id: string }) {
  const path = `/workspaces/${workspace_id}/contact-imports`;
  const imports = useLiveQuery<{ data: ImportState[] }>(path, concerns);
  return (
    <Loaded query={imports}>
      {({ data }) =>
        data.length > 0 && (
          <Section title={t('import.list')}>
            <Soft>{t('import.list_hint')}</Soft>
            <List>
              {data.map((one) => (
                <ImportItem key={one.id} path={`${path}/${one.id}`} shown={one} reread={imports.refetch} />
              ))}
            </List>
          </Section>
        )
      }
    </Loaded>
  );
}

interface ItemProps {
  /** Of the import. */
  path: string;
  shown: ImportState;
  reread: () => Promise<unknown>;
}

const badges = { receiving: 'plain', running: 'accent', done: 'plain', cancelled: 'warning' } as const;

function ImportItem({ path, shown, reread }: ItemProps) {
  const [asked, ask] = useState<'cancel' | 'remove'>();
  const { file_name, status, rows_total, rows_done, created, updated, left_out, user, created_at } = shown;
  const isOpen = status === 'receiving' || status === 'running';
  const name = isolated(file_name);
  async function cancel() {
    await request('POST', `${path}/cancel`);
    await reread();
  }
  async function remove() {
    await request('DELETE', path);
    await reread();
  }
  return (
    <Row
      title={
        <>
          <bdi>{file_name}</bdi>
          <Badge kind={badges[status]}>{t(`import.status_${status}`)}</Badge>
        </>
      }
      end={
        <>
          {left_out > 0 && shown.has_left_out_rows && !isOpen && (
            <Button onPress={() => attempt(() => downloadLeftOut(path, shown))}>
              <Download size={16} aria-hidden />
              {t('import.download', { count: left_out })}
            </Button>
          )}
          {status === 'running' ? (
            <Button onPress={() => ask('cancel')} aria-label={t('import.cancel_of', { name })}>
              <Ban size={16} aria-hidden />
              {t('import.cancel')}
            </Button>
          ) : (
            <Button look="quiet" onPress={() => ask('remove')} aria-label={t('import.remove_of', { name })}>
              <Trash2 size={16} aria-hidden />
            </Button>
          )}
        </>
      }
    >
      {isOpen && (
        <progress
          className={styles.progress}
          max={rows_total}
          value={rows_done}
          aria-label={t('import.progress_name', { name })}
        />
      )}
      <Soft>
        {isOpen && `${t('import.progress_of', { done: rows_done, total: rows_total })} · `}
        {t('import.outcome', { created, updated, left_out })}
      </Soft>
      <Soft>
        <bdi>{user.name}</bdi> · {fullTime(created_at)}
        {shown.rows_kept_until && ` · ${t('import.kept_until', { time: fullTime(shown.rows_kept_until) })}`}
      </Soft>
      {asked === 'cancel' && (
        <AskDialog
          title={t('import.cancel_title')}
          hint={t('import.cancel_hint', { done: created + updated, left: rows_total - rows_done })}
          action={t('import.cancel_confirm')}
          act={cancel}
          onClose={() => ask(undefined)}
        />
      )}
      {asked === 'remove' && (
        <AskDialog
          title={t('import.remove_title')}
          hint={t('import.remove_hint', { count: left_out })}
          action={t('import.remove')}
          act={remove}
          onClose={() => ask(undefined)}
        />
      )}
    </Row>
  );
}

interface LeftOutPage {
  data: LeftOutRow[];
  header: string[];
  next_cursor?: string;
}

/** A file of the rows with the reasons, to be mended and imported again. */
async function downloadLeftOut(path: string, { file_name }: ImportState): Promise<void> {
  const rows: string[][] = [];
  let cursor: string | undefined;
  let header: string[] = [];
  do {
    const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;
    const page = await request<LeftOutPage>('GET', `${path}/left-out-rows${query}`);
    header = page.header;
    for (const { cells, reason } of page.data) rows.push([...cells, faultText(reason)]);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  const name = `${file_name.replace(/\.\w+$/, '')}-${t('import.faults_file')}.csv`;
  downloadCsv(name, [[...header, t('import.reason')], ...rows]);
}
