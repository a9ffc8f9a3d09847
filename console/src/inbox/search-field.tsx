import { Search, X } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { type Command, useCommands } from '../app/commands.ts';
import { t } from '../words/words.ts';
import styles from './inbox-page.module.css';

interface Props {
  value: string;
  onChange: (value: string) => void;
  /** To the first result. */
  onArrowDown: () => void;
}

/** Searches people and messages. The slash brings the focus here, Escape ends the search. */
export function InboxSearchField({ value, onChange, onArrowDown }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const commands = useMemo(
    (): Command[] => [
      {
        id: 'list.search',
        label: t('inbox.search'),
        icon: <Search size={16} aria-hidden />,
        run: () => input.current?.focus(),
      },
    ],
    [],
  );
  useCommands(commands);
  return (
    <div className={styles.search}>
      <Search size={16} aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={t('inbox.search')}
        placeholder={t('inbox.search_hint')}
        dir="auto"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown') onArrowDown();
          if (key === 'Escape') onChange('');
        }}
      />
      {value !== '' && (
        <button
          type="button"
          className={styles.clear}
          tabIndex={-1}
          aria-label={t('inbox.search_end')}
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        >
          <X size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}
