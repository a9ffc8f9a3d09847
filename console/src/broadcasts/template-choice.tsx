import type { Template } from '@majlis/contract';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { foldForSearch } from '../composer/find-trigger.ts';
import { nameOfLanguage } from '../composer/name-of-language.ts';
import { categoryWords } from '../composer/template-list.tsx';
import { partOf } from '../composer/template-slots.ts';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';

interface Props {
  templates: readonly Template[];
  /** How many templates need a file, which no broadcast has. */
  hidden: number;
  value: string | undefined;
  onChange: (id: string) => void;
}

const manyTemplates = 6;

/** One approved template, chosen by its text. */
export function TemplateChoice({ templates, hidden, value, onChange }: Props) {
  const [search, setSearch] = useState('');
  const wanted = foldForSearch(search);
  const textOf = (template: Template) => partOf(template, 'body')?.text ?? '';
  const shown = templates
    .filter(
      (template) => template.id === value || foldForSearch(`${template.name} ${textOf(template)}`).includes(wanted),
    )
    .sort((a, b) => a.name.localeCompare(b.name) || a.language.localeCompare(b.language));
  return (
    <div className={styles.group}>
      <RadioGroup className={styles.radios!} value={value ?? null} onChange={onChange}>
        <Label className={styles.groupTitle!}>{t('broadcasts.template')}</Label>
        {templates.length > manyTemplates && (
          <Field label={t('broadcasts.template_search')} type="search" value={search} onChange={setSearch} />
        )}
        <div className={styles.templates}>
          {shown.map((template) => (
            <Radio key={template.id} value={template.id} className={styles.template!}>
              <span className={styles.templateName}>
                <bdi dir="ltr">{template.name}</bdi>
                <small>
                  {nameOfLanguage(template.language)} · {t(categoryWords[template.category])}
                </small>
              </span>
              <span className={styles.templateText} dir="auto">
                {textOf(template)}
              </span>
            </Radio>
          ))}
        </div>
      </RadioGroup>
      {hidden > 0 && <p className={styles.soft}>{t('broadcasts.templates_with_file', { count: hidden })}</p>}
    </div>
  );
}
