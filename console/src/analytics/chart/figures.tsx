import { Download } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { downloadCsv } from '../../contacts/import/download-csv.ts';
import { Button } from '../../parts/button.tsx';
import { t } from '../../words/words.ts';
import styles from './figures.module.css';

export interface Column {
  label: string;
  isNumber?: boolean;
}

export interface Cell {
  text: string;
  /** The value in the file, where it differs from the text. */
  csv?: string;
  /** From 0 to 1: the length of a bar behind a number. */
  share?: number;
}

export interface FigureRow {
  key: string;
  cells: readonly Cell[];
}

interface Props {
  title: string;
  hint?: string;
  /** Behind the title. */
  controls?: ReactNode;
  chart?: ReactNode;
  columns: readonly Column[];
  rows: readonly FigureRow[];
  /** The name of the file, without its ending. */
  file: string;
}

/** Figures as a chart, with a table beside it that tells the same, and a file of them. */
export function Figures({ title, hint, controls, chart, columns, rows, file }: Props) {
  const id = useId();
  const download = () => downloadCsv(`${file}.csv`, [columns.map(({ label }) => label), ...rows.map(toCsv)]);
  return (
    <section className={styles.figures} aria-labelledby={id}>
      <header className={styles.header}>
        <div>
          <h2 id={id}>{title}</h2>
          {hint && <p className={styles.hint}>{hint}</p>}
        </div>
        <div className={styles.controls}>
          {controls}
          <Button onPress={download} aria-label={t('analytics.download_of', { name: title })}>
            <Download size={16} aria-hidden />
            CSV
          </Button>
        </div>
      </header>
      <div
        className={styles.body}
        data-chart={chart !== undefined || undefined}
        data-wide={columns.length > 3 || undefined}
      >
        {chart}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll a long table */}
        <section className={styles.frame} tabIndex={0} aria-label={t('analytics.table_of', { name: title })}>
          <table className={styles.table}>
            <thead>
              <tr>
                {columns.map(({ label, isNumber }) => (
                  <th key={label} scope="col" data-number={isNumber}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells }) => (
                <tr key={key}>
                  {cells.map((cell, index) => (
                    <TableCell key={columns[index]!.label} cell={cell} column={columns[index]!} isFirst={index === 0} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </section>
  );
}

function TableCell({ cell, column, isFirst }: { cell: Cell; column: Column; isFirst: boolean }) {
  const content = <bdi>{cell.text}</bdi>;
  if (isFirst) return <th scope="row">{content}</th>;
  return (
    <td data-number={column.isNumber}>
      {content}
      {cell.share !== undefined && (
        <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="4" className={styles.track} />
          <rect width={100 * cell.share} height="4" />
        </svg>
      )}
    </td>
  );
}

function toCsv({ cells }: FigureRow): string[] {
  return cells.map(({ text, csv }) => csv ?? text);
}
