import type { ThreadMessage } from '@majlis/console-api';
import { readableAnswer, readableName } from '../../words/readable-answer.ts';
import { t } from '../../words/words.ts';
import styles from './form-content.module.css';
import { MessageText } from './message-text.tsx';

interface Props {
  title: string | undefined;
  answers: NonNullable<ThreadMessage['answers']>;
}

/** What the contact answered in a form: each question with its answer below. */
export function FormContent({ title, answers }: Props) {
  return (
    <>
      {title && <MessageText text={title} />}
      <dl className={styles.answers}>
        {answers.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the answers of a form never change.
          <div key={at} dir="auto">
            <dt>{readableName(name)}</dt>
            <dd>
              <Answer value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The words of the console stand where the question begins, those of the contact by their own direction. */
function Answer({ value }: { value: string }) {
  if (!value) return <i>{t('thread.no_answer')}</i>;
  if (value === 'true') return t('thread.answer_yes');
  if (value === 'false') return t('thread.answer_no');
  return <MessageText text={readableAnswer(value)} />;
}
