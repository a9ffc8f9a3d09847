import { Download, Play, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useKnownStages } from '../../live/directory.ts';
import { sentenceOf } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Counts } from '../../parts/counts.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { isolated } from '../../words/isolated.ts';
import { currentLocale, t } from '../../words/words.ts';
import { useCustomFields } from '../contact-data.ts';
import type { ReadFile } from './choose-file.tsx';
import { downloadCsv } from './download-csv.ts';
import { faultText } from './fault-text.ts';
import { handOver, type LineFault } from './hand-over.ts';
import styles from './import.module.css';
import { guessTargets, type Target, targets, toContact } from './map-columns.ts';
import { type ImportCounts, type ImportRow, nothingDone, tryImport } from './run-import.ts';

interface Props {
  workspace_id: string;
  file: ReadFile;
  onOther: () => void;
  /** The service has the file, and imports it by itself. */
  onHandedOver: () => void;
}

type Work =
  | { type: 'mapping' }
  | { type: 'trying' | 'handing_over'; done: number; total: number }
  | { type: 'tried'; counts: ImportCounts; faults: LineFault[]; rows: ImportRow[]; isStopped: boolean };

const shownFaults = 50;

/** Says what each column is, tries the import, and hands it over to the service. */
export function MapFile({ workspace_id, file, onOther, onHandedOver }: Props) {
  const base = `/workspaces/${workspace_id}`;
  const fields = useCustomFields(workspace_id);
  const stages = useKnownStages(workspace_id) ?? [];
  const [chosen, setChosen] = useState<Readonly<Record<number, Target>>>({});
  const [work, setWork] = useState<Work>({ type: 'mapping' });
  const [problem, setProblem] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  const guessed = guessTargets(file.header, fields);
  const columns = file.header.map((_, index) => chosen[index] ?? guessed[index]!);
  useKeptOpen(work.type === 'handing_over');

  function begin(): AbortController {
    const controller = new AbortController();
    stop.current = controller;
    setProblem(undefined);
    return controller;
  }

  async function dryRun() {
    const rows: ImportRow[] = [];
    const faults: LineFault[] = [];
    for (const [line, row] of file.rows.entries()) {
      const read = toContact(row, columns, { fields, stages });
      if ('contact' in read) rows.push({ line, contact: read.contact });
      else faults.push({ line, reason: read.fault });
    }
    const controller = begin();
    const { signal } = controller;
    let counts = nothingDone;
    const total = rows.length;
    setWork({ type: 'trying', done: 0, total });
    try {
      await tryImport(`${base}/contact-imports/preview`, rows, {
        signal,
        onProgress(done) {
          counts = done;
          setWork({ type: 'trying', done: counts.done, total });
        },
      });
    } catch (error) {
      setProblem(sentenceOf(error));
      controller.abort();
    }
    const refused = counts.refused.map(({ line, code }) => ({ line, reason: code }));
    const all = [...faults, ...refused].sort((a, b) => a.line - b.line);
    setWork({ type: 'tried', counts, faults: all, rows, isStopped: signal.aborted });
  }

  async function start(tried: Extract<Work, { type: 'tried' }>) {
    const refused = new Set(tried.counts.refused.map(({ line }) => line));
    const faults = tried.faults.filter(({ line }) => !refused.has(line));
    const { signal } = begin();
    const total = file.rows.length;
    setWork({ type: 'handing_over', done: 0, total });
    try {
      const onProgress = (done: number) => setWork({ type: 'handing_over', done, total });
      const isStarted = await handOver(workspace_id, { file, rows: tried.rows, faults, signal, onProgress });
      if (isStarted) return onHandedOver();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setWork(tried);
  }

  return (
    <>
      {work.type === 'mapping' && (
        <Section title={t('import.columns')}>
          <Soft>{t('import.columns_hint')}</Soft>
          <List>
            {file.header.map((title, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name, and none moves.
                key={index}
                title={<bdi>{title || t('import.column', { number: index + 1 })}</bdi>}
                end={
                  <Choice
                    label={t('import.column_is', { name: isolated(title) })}
                    isLabelHidden
                    options={[
                      ...targets.map((id): { id: Target; label: string } => ({ id, label: t(`import.target_${id}`) })),
                      ...fields.map(({ key, label }) => ({ id: `field:${key}` as const, label: label ?? key })),
                    ]}
                    value={columns[index]}
                    onChange={(target) => setChosen({ ...chosen, [index]: target })}
                  />
                }
              >
                <Soft>
                  <bdi>
                    {file.rows
                      .slice(0, 3)
                      .map((row) => row[index])
                      .filter(Boolean)
                      .join(' · ')}
                  </bdi>
                </Soft>
              </Row>
            ))}
          </List>
          {!columns.includes('phone') && <Notice>{t('import.phone_needed')}</Notice>}
          <div className={styles.actions}>
            <Button onPress={onOther}>{t('import.other_file')}</Button>
            <Button look="primary" isDisabled={!columns.includes('phone')} onPress={dryRun}>
              <Search size={16} aria-hidden />
              {t('import.try')}
            </Button>
          </div>
        </Section>
      )}
      {(work.type === 'trying' || work.type === 'handing_over') && (
        <Section title={t(work.type === 'trying' ? 'import.trying' : 'import.handing_over')}>
          <progress
            className={styles.progress}
            max={Math.max(1, work.total)}
            value={work.done}
            aria-label={t('import.progress')}
          />
          <p role="status">{t('import.progress_of', { done: work.done, total: work.total })}</p>
          {work.type === 'handing_over' && <Notice>{t('import.keep_open')}</Notice>}
          <div className={styles.actions}>
            <Button onPress={() => stop.current?.abort()}>{t('import.stop')}</Button>
          </div>
        </Section>
      )}
      {work.type === 'tried' && (
        <Section title={t('import.tried')}>
          {problem && <Notice kind="danger">{problem}</Notice>}
          {work.isStopped && <Notice>{t('import.stopped')}</Notice>}
          <Outcome counts={work.counts} faults={work.faults.length} />
          {work.counts.updated > 0 && <Notice>{t('import.overwrites')}</Notice>}
          <Faults file={file} faults={work.faults} />
          <div className={styles.actions}>
            <Button onPress={() => setWork({ type: 'mapping' })}>{t('import.back_to_columns')}</Button>
            <Button
              look="primary"
              isDisabled={work.isStopped || work.counts.created + work.counts.updated === 0}
              onPress={() => start(work)}
            >
              <Play size={16} data-directional aria-hidden />
              {t('import.start', { count: work.counts.created + work.counts.updated })}
            </Button>
          </div>
        </Section>
      )}
    </>
  );
}

/** The browser asks before it closes a tab that hands a file over. */
function useKeptOpen(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isRunning]);
}

function Outcome({ counts, faults }: { counts: ImportCounts; faults: number }) {
  const format = new Intl.NumberFormat(currentLocale());
  return (
    <Counts
      counts={[
        { name: t('import.will_create'), text: format.format(counts.created) },
        { name: t('import.will_update'), text: format.format(counts.updated) },
        { name: t('import.left_out'), text: format.format(faults) },
      ]}
    />
  );
}

function Faults({ file, faults }: { file: ReadFile; faults: readonly LineFault[] }) {
  if (faults.length === 0) return null;
  function download() {
    const rows = faults.map(({ line, reason }) => [
      ...file.header.map((_, index) => file.rows[line]![index] ?? ''),
      faultText(reason),
    ]);
    downloadCsv(`${file.name.replace(/\.\w+$/, '')}-${t('import.faults_file')}.csv`, [
      [...file.header, t('import.reason')],
      ...rows,
    ]);
  }
  return (
    <>
      <List>
        {faults.slice(0, shownFaults).map(({ line, reason }) => (
          // The header is the first line of the file.
          <Row key={line} title={t('import.line', { number: line + 2 })}>
            <Soft>
              {faultText(reason)} · <bdi>{file.rows[line]!.filter(Boolean).slice(0, 4).join(' · ')}</bdi>
            </Soft>
          </Row>
        ))}
      </List>
      <div className={styles.actions}>
        <Button onPress={download}>
          <Download size={16} aria-hidden />
          {t('import.download', { count: faults.length })}
        </Button>
      </div>
    </>
  );
}
