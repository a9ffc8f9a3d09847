import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';
import type { Trigger } from './find-trigger.ts';
import type { Suggestion, Suggestions } from './use-suggestions.ts';
import styles from './writing-box.module.css';

interface Props extends Suggestions {
  id: string;
  type: Trigger['type'];
  active: number;
  onTake: (suggestion: Suggestion) => void;
}

const words: Record<Trigger['type'], [label: WordId, none: WordId]> = {
  canned: ['composer.canned', 'composer.canned_none'],
  mention: ['composer.mentions', 'composer.mentions_none'],
  emoji: ['composer.emoji', 'composer.emoji_none'],
};

/** The list above the field. The focus stays in the field, whose keys choose from the list. */
export function SuggestionList({ id, type, state, list, active, onTake }: Props) {
  const [label, none] = words[type];
  const empty = { waiting: 'inbox.searching', known: none, unreadable: 'composer.list_unreadable' } as const;
  return (
    <div className={styles.suggestions}>
      <p className={styles.heading} aria-hidden>
        {t(label)}
      </p>
      {list.length === 0 && (
        <p className={styles.none} role="status">
          {t(empty[state])}
        </p>
      )}
      <div id={id} role="listbox" aria-label={t(label)}>
        {list.map((suggestion, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={suggestion.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={styles.suggestion}
            // A press must not take the focus from the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(suggestion)}
          >
            <bdi className={styles.name}>{suggestion.title}</bdi>
            {suggestion.detail && (
              <span className={styles.detail} dir="auto">
                {suggestion.detail}
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
