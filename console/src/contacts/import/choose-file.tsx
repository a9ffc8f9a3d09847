import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Notice } from '../../parts/notice.tsx';
import { t } from '../../words/words.ts';
import styles from './import.module.css';
import {
  detectEncoding,
  detectSeparator,
  type Encoding,
  encodings,
  readCsv,
  type Separator,
  separators,
} from './read-csv.ts';

export interface ReadFile {
  /** Another reading of the file is another file. */
  key: string;
  name: string;
  header: string[];
  rows: string[][];
}

interface Opened {
  name: string;
  bytes: Uint8Array;
  encoding: Encoding;
  separator: Separator;
}

const separatorWords = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;
const encodingNames: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1256': 'Windows-1256',
  'windows-1252': 'Windows-1252',
};
const shownRows = 4;
const mostRows = 200_000;

/** Opens a file, and shows how it is read, so that wrong letters and columns are seen at once. */
export function ChooseFile({ onRead }: { onRead: (file: ReadFile) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened>();
  async function open(file: File) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const encoding = detectEncoding(bytes);
    setOpened({
      name: file.name,
      bytes,
      encoding,
      separator: detectSeparator(new TextDecoder(encoding).decode(bytes)),
    });
  }
  const choose = (
    <Button look={opened ? 'plain' : 'primary'} onPress={() => picker.current?.click()}>
      <FileUp size={18} aria-hidden />
      {t('import.choose')}
    </Button>
  );
  return (
    <fieldset
      className={styles.drop}
      aria-label={t('import.choose_title')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file) void open(file);
      }}
    >
      <input
        ref={picker}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv"
        aria-label={t('import.file')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void open(file);
          currentTarget.value = '';
        }}
      />
      {opened ? (
        <Opening key={opened.name} opened={opened} change={setOpened} choose={choose} onRead={onRead} />
      ) : (
        <Empty icon={<FileUp aria-hidden />} title={t('import.choose_title')} hint={t('import.choose_hint')}>
          {choose}
        </Empty>
      )}
    </fieldset>
  );
}

interface OpeningProps {
  opened: Opened;
  change: (opened: Opened) => void;
  choose: React.ReactNode;
  onRead: (file: ReadFile) => void;
}

function Opening({ opened, change, choose, onRead }: OpeningProps) {
  const { name, bytes, encoding, separator } = opened;
  const [header = [], ...rows] = readCsv(new TextDecoder(encoding).decode(bytes), separator);
  const isEmpty = rows.length === 0;
  return (
    <div className={styles.step}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        · {t('import.rows', { count: rows.length })}
      </p>
      <div className={styles.pair}>
        <Choice
          label={t('import.separator')}
          options={separators.map((id) => ({ id, label: t(`import.separator_${separatorWords[id]}`) }))}
          value={separator}
          onChange={(id) => change({ ...opened, separator: id })}
        />
        <Choice
          label={t('import.encoding')}
          options={encodings.map((id) => ({ id, label: encodingNames[id] }))}
          value={encoding}
          onChange={(id) => change({ ...opened, encoding: id })}
        />
      </div>
      {isEmpty ? (
        <Notice kind="danger">{t('import.empty_file')}</Notice>
      ) : (
        <FileTable header={header} rows={rows.slice(0, shownRows)} />
      )}
      {rows.length > mostRows && <Notice kind="danger">{t('import.too_many', { count: mostRows })}</Notice>}
      <div className={styles.actions}>
        {choose}
        <Button
          look="primary"
          isDisabled={isEmpty || rows.length > mostRows}
          onPress={() => onRead({ key: `${name} ${encoding} ${separator}`, name, header, rows })}
        >
          {t('import.next')}
        </Button>
      </div>
    </div>
  );
}

export function FileTable({ header, rows }: { header: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a wide table.
    <div className={styles.scroller} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {header.map((title, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name, and none moves.
              <th key={index} scope="col">
                <bdi>{title}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and none moves.
            <tr key={line}>
              {header.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <td key={index}>
                  <bdi>{row[index]}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
