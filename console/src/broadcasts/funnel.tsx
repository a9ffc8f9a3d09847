import type { RecipientFilter } from '@majlis/console-api';
import type { BroadcastCounts } from '@majlis/contract';
import { Button } from 'react-aria-components';
import { numberText } from '../words/amounts.ts';
import { t } from '../words/words.ts';
import { recipientWords, shareText } from './broadcast-words.ts';
import styles from './broadcasts.module.css';

const steps = ['sent', 'delivered', 'read', 'replied', 'failed'] as const;

interface Props {
  counts: BroadcastCounts;
  /** Shows the recipients of a step. */
  onShow: (status: RecipientFilter) => void;
}

/** How many came how far, as counted now. Each step holds those who came further. */
export function Funnel({ counts, onShow }: Props) {
  return (
    <ul className={styles.funnel}>
      {steps.map((step) => (
        <li key={step} data-step={step}>
          <Button className={styles.step!} onPress={() => onShow(step)} isDisabled={counts[step] === 0}>
            <span>{t(recipientWords[step])}</span>
            <span className={styles.bar} aria-hidden>
              <span style={{ inlineSize: `${counts.total === 0 ? 0 : (counts[step] / counts.total) * 100}%` }} />
            </span>
            <strong>{numberText(counts[step])}</strong>
            <small>{shareText(counts[step], counts.total)}</small>
          </Button>
        </li>
      ))}
    </ul>
  );
}
