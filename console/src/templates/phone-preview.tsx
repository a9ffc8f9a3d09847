import type { Template } from '@majlis/contract';
import { useState } from 'react';
import type { HeaderFileState } from '../composer/header-file.tsx';
import { TemplatePreview } from '../composer/template-preview.tsx';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import styles from './phone-preview.module.css';

const directions = ['ltr', 'rtl'] as const;
type Direction = (typeof directions)[number];

interface Props {
  template: Template;
  values: readonly string[];
  file: HeaderFileState;
}

/** The message on a customer's phone. The phone has a language of its own, so both directions are shown. */
export function PhonePreview({ template, values, file }: Props) {
  const [chosen, setChosen] = useState<Direction>();
  const direction = chosen ?? directionOf(template.language);
  return (
    <div className={styles.part}>
      <p className={styles.caption}>{t('composer.template_preview')}</p>
      <div className={styles.phone} dir={direction} data-phone={direction}>
        <TemplatePreview template={template} values={values} file={file} />
      </div>
      <fieldset className={styles.choices} aria-label={t('templates.phone')}>
        {directions.map((one) => (
          <Button key={one} look="quiet" aria-pressed={one === direction} onPress={() => setChosen(one)}>
            {t(`templates.phone_${one}`)}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}

const rightToLeft = /^(ar|fa|he|ur)(_|-|$)/;

function directionOf(language: string): Direction {
  return rightToLeft.test(language) ? 'rtl' : 'ltr';
}
