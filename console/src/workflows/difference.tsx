import { t } from '../words/words.ts';
import type { Step } from './definition.ts';
import type { Difference } from './edit-definition.ts';
import { detailOf, isolate, kindText } from './step-words.ts';
import styles from './workflows.module.css';

/** What differs between two definitions, in words. */
export function DifferenceList({ difference: { added, removed, head } }: { difference: Difference }) {
  if (added.length === 0 && removed.length === 0 && !head) return <p>{t('workflows.order_differs')}</p>;
  return (
    <ul className={styles.difference}>
      {head && <li>{t('workflows.head_differs')}</li>}
      {added.map((step) => (
        <li key={`+${JSON.stringify(step)}`}>{t('workflows.added', { step: lineOf(step) })}</li>
      ))}
      {removed.map((step) => (
        <li key={`-${JSON.stringify(step)}`}>{t('workflows.removed', { step: lineOf(step) })}</li>
      ))}
    </ul>
  );
}

function lineOf(step: Step): string {
  const detail = detailOf(step);
  return detail === undefined ? kindText(step.do) : `${kindText(step.do)}: ${isolate(detail)}`;
}
