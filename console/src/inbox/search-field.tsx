import { Search, X } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Button as AriaButton, Input, SearchField } from 'react-aria-components';
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
        shortcut: { code: 'Slash' },
        run: () => input.current?.focus(),
      },
    ],
    [],
  );
  useCommands(commands);
  return (
    <SearchField
      className={styles.search!}
      aria-label={t('inbox.search')}
      value={value}
      onChange={onChange}
      onKeyDown={({ key }) => key === 'ArrowDown' && onArrowDown()}
    >
      <Search size={16} aria-hidden />
      <Input ref={input} placeholder={t('inbox.search_hint')} dir="auto" />
      {value !== '' && (
        <AriaButton className={styles.clear!} aria-label={t('inbox.search_end')}>
          <X size={16} aria-hidden />
        </AriaButton>
      )}
    </SearchField>
  );
}
