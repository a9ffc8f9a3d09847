import type { BroadcastDetails } from '@majlis/console-api';
import { Suspense, use } from 'react';
import { causeOf } from '../conversation/thread/failure-cause.ts';
import { Button } from '../parts/button.tsx';
import { List, Row } from '../parts/list.tsx';
import { numberText } from '../words/amounts.ts';
import { failureSentences } from '../words/failure-sentences.ts';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';

interface Props {
  failures: BroadcastDetails['failures'];
  /** The reason whose recipients are shown. */
  reason: string | undefined;
  onShow: (reason: string) => void;
}

/** Why recipients were not reached, the most frequent reason first. */
export function Failures({ failures, reason, onShow }: Props) {
  return (
    <List>
      {failures.map((failure) => (
        <Row
          key={failure.reason}
          start={<strong className={styles.count}>{numberText(failure.count)}</strong>}
          title={
            <span className={styles.failure}>
              <FailureSentence code={failure.code} error={failure.error} />
              <Button look="quiet" aria-pressed={failure.reason === reason} onPress={() => onShow(failure.reason)}>
                {t('broadcasts.show_recipients')}
              </Button>
            </span>
          }
        />
      ))}
    </List>
  );
}

/** A reason in the person's language; the platform's own words where there is no sentence for it. */
export function FailureSentence({ code, error }: { code: string | undefined; error: string | undefined }) {
  return (
    <Suspense fallback={<span>{error}</span>}>
      <Sentence code={code} error={error} />
    </Suspense>
  );
}

function Sentence({ code, error }: { code: string | undefined; error: string | undefined }) {
  const sentences = use(failureSentences());
  const cause = causeOf(code);
  return (
    <span className={styles.reason}>
      {cause === 'other' ? t('broadcasts.other_reason') : sentences[cause]}
      {cause === 'other' && error && (
        <small dir="auto" className={styles.words}>
          {error}
        </small>
      )}
    </span>
  );
}
