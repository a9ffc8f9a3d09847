import { useState } from 'react';
import { t } from '../../words/words.ts';
import styles from './message-text.module.css';
import { isEmojiAlone, shortened, type TextPart, textParts } from './text-parts.ts';

interface Props {
  text: string;
  /** Teammates' names after an @ stand out, as in a note. */
  hasMentions?: boolean;
}

/** The text of a message in its own direction. Addresses are links, and a very long text is shown in part at first. */
export function MessageText({ text, hasMentions = false }: Props) {
  const [isWhole, setWhole] = useState(false);
  const start = shortened(text);
  const shown = start === undefined || isWhole ? text : `${start}…`;
  return (
    <>
      <p className={styles.text} dir="auto" data-emoji={isEmojiAlone(text) || undefined}>
        {textParts(shown, { hasMentions }).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their places.
          <Part key={at} part={part} />
        ))}
      </p>
      {start !== undefined && (
        <button type="button" className={styles.toggle} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('thread.show_less') : t('thread.show_all')}
        </button>
      )}
    </>
  );
}

function Part({ part }: { part: TextPart }) {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'mention':
      return <mark>{part.text}</mark>;
    case 'link':
      return (
        <a href={part.href} title={part.href} target="_blank" rel="noopener noreferrer nofollow" dir="ltr">
          {part.text}
        </a>
      );
  }
}
