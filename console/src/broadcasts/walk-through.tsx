import type { PreviewedRecipient } from '@majlis/console-api';
import type { Template } from '@majlis/contract';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { TemplatePreview } from '../composer/template-preview.tsx';
import { Button } from '../parts/button.tsx';
import { numberText } from '../words/amounts.ts';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';

interface Props {
  template: Template;
  /** The first ones that are reached. */
  recipients: readonly PreviewedRecipient[];
  reachable: number;
}

const noFile = { choose: () => {}, remove: () => {} };

/** The message as each of the first recipients will see it, one after another. */
export function WalkThrough({ template, recipients, reachable }: Props) {
  const [at, setAt] = useState(0);
  const recipient = recipients[at];
  if (!recipient) return null;
  const { to, name, params } = recipient;
  return (
    <aside className={styles.preview}>
      <div className={styles.walk}>
        <Button look="quiet" aria-label={t('broadcasts.before')} isDisabled={at === 0} onPress={() => setAt(at - 1)}>
          <ChevronLeft size={18} data-directional aria-hidden />
        </Button>
        <p role="status">
          {name !== undefined && (
            <strong>
              <bdi>{name}</bdi>
            </strong>
          )}
          <bdi dir="ltr">{to}</bdi>
          <small>{t('broadcasts.walk', { number: numberText(at + 1), count: numberText(reachable) })}</small>
        </p>
        <Button
          look="quiet"
          aria-label={t('broadcasts.after')}
          isDisabled={at + 1 >= recipients.length}
          onPress={() => setAt(at + 1)}
        >
          <ChevronRight size={18} data-directional aria-hidden />
        </Button>
      </div>
      <TemplatePreview template={template} values={params} file={noFile} />
      {at + 1 === recipients.length && reachable > recipients.length && (
        <p className={styles.soft}>{t('broadcasts.walk_end')}</p>
      )}
    </aside>
  );
}
