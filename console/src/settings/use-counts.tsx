import type { UseCounts } from '@majlis/console-api';
import { type ReactNode, useState } from 'react';
import { settingsChanged } from '../live/queries.ts';
import { Notice } from '../parts/notice.tsx';
import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';
import { CountedDialog } from './counted-dialog.tsx';

/** The sentences that say in numbers what a removal does, in their order. */
export type UseWords = Partial<Record<keyof UseCounts, WordId>>;

interface Props {
  title: string;
  hint?: string;
  /** The path that counts what has or names the entry. */
  counts: string;
  words: UseWords;
  action: string;
  act: () => Promise<unknown>;
  workspace_id: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before the removal of an entry, with the numbers of what it takes from others. */
export function RemovalDialog({ title, hint, counts, words, action, act, workspace_id, onClose, children }: Props) {
  async function remove() {
    await act();
    settingsChanged(workspace_id);
  }
  return (
    <CountedDialog<UseCounts> title={title} path={counts} action={action} act={remove} onClose={onClose}>
      {(data) => (
        <>
          <Consequences counts={data} words={words} />
          {children}
          {hint && <p>{hint}</p>}
        </>
      )}
    </CountedDialog>
  );
}

export function Consequences({ counts, words }: { counts: UseCounts; words: UseWords }) {
  const told = Object.entries(words) as [keyof UseCounts, WordId][];
  const named = (['broadcasts', 'workflows'] as const).filter((name) => !words[name] && (counts[name] ?? 0) > 0);
  return (
    <>
      <ul>
        {told.map(([name, word]) => (
          <li key={name}>{t(word, { count: counts[name] ?? 0 })}</li>
        ))}
      </ul>
      {named.length > 0 && <Notice>{named.map((name) => t(`use.${name}`, { count: counts[name]! })).join(' ')}</Notice>}
    </>
  );
}

/** What a dialog is open for. */
export function useOpened<Value>() {
  const [opened, setOpened] = useState<Value>();
  return { opened, open: setOpened, close: () => setOpened(undefined) };
}
