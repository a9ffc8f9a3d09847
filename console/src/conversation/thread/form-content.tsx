import type { ThreadMessage } from '@majlis/console-api';
import { listOf, t } from '../../words/words.ts';
import styles from './form-content.module.css';
import { MessageText } from './message-text.tsx';

interface Props {
  title: string | undefined;
  answers: NonNullable<ThreadMessage['answers']>;
}

/** What the contact answered in a form: each question with its answer below, where the question begins. */
export function FormContent({ title, answers }: Props) {
  return (
    <>
      {title && <MessageText text={title} />}
      <dl className={styles.answers}>
        {answers.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the answers of a form never change.
          <div key={at} dir="auto">
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{value ? <MessageText text={readable(value)} /> : <i>{t('thread.no_answer')}</i>}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The platform writes the chosen entries of a list as JSON, and a mark in a box as a word of it. */
function readable(value: string): string {
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'thread.answer_yes' : 'thread.answer_no');
  if (!value.startsWith('["')) return value;
  try {
    return listOf(JSON.parse(value));
  } catch {
    return value;
  }
}
