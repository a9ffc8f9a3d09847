import type { Template, TemplateCategory } from '@majlis/contract';
import { FileText, Search } from 'lucide-react';
import { useState } from 'react';
import { GridList, GridListItem, Input, SearchField } from 'react-aria-components';
import { Badge } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import type { WordId } from '../words/word-id.ts';
import { isWord, t } from '../words/words.ts';
import { foldForSearch } from './find-trigger.ts';
import { nameOfLanguage } from './name-of-language.ts';
import type { PanelProps } from './panel-props.ts';
import styles from './template-list.module.css';
import { refusalOf } from './template-refusal.ts';
import { partOf } from './template-slots.ts';

export const categoryWords: Record<TemplateCategory, WordId> = {
  marketing: 'composer.category_marketing',
  utility: 'composer.category_utility',
  authentication: 'composer.category_authentication',
};

interface Props {
  templates: readonly Template[];
  gate: PanelProps['gate'];
  /** The person has opened the list, so it takes the focus. */
  isOpened: boolean;
  onChoose: (template: Template) => void;
}

export function TemplateList({ templates, gate, isOpened, onChoose }: Props) {
  const [search, setSearch] = useState('');
  const [language, setLanguage] = useState('all');
  const wanted = foldForSearch(search);
  const shown = templates
    .filter((template) => language === 'all' || template.language === language)
    .filter((template) => foldForSearch(`${template.name} ${textOf(template)}`).includes(wanted))
    // A template that cannot be sent stands last.
    .sort((a, b) => rankOf(a, gate) - rankOf(b, gate) || a.name.localeCompare(b.name));
  const known = [...new Set(templates.map((template) => template.language))].sort();
  return (
    <>
      <div className={styles.filters}>
        <SearchField
          className={styles.search!}
          aria-label={t('composer.template_search')}
          value={search}
          onChange={setSearch}
          autoFocus={isOpened}
        >
          <Search size={16} aria-hidden />
          <Input placeholder={t('composer.template_search')} />
        </SearchField>
        {known.length > 1 && (
          <Choice
            label={t('composer.template_language')}
            isLabelHidden
            options={[
              { id: 'all', label: t('composer.template_all_languages') },
              ...known.map((id) => ({ id, label: nameOfLanguage(id) })),
            ]}
            value={language}
            onChange={setLanguage}
          />
        )}
      </div>
      {shown.length === 0 ? (
        <Empty
          icon={<FileText aria-hidden />}
          title={t('composer.template_none')}
          hint={t('composer.template_none_hint')}
        />
      ) : (
        <GridList
          className={styles.list!}
          aria-label={t('composer.templates')}
          disabledKeys={shown.filter((one) => refusalOf(one, gate)).map(({ id }) => id)}
          onAction={(id) => onChoose(shown.find((one) => one.id === id)!)}
        >
          {shown.map((template) => (
            <TemplateRow key={template.id} template={template} refusal={refusalOf(template, gate)} />
          ))}
        </GridList>
      )}
    </>
  );
}

function TemplateRow({ template, refusal }: { template: Template; refusal: string | undefined }) {
  const { id, name, language, category } = template;
  // Templates of one name differ by their language alone.
  return (
    <GridListItem id={id} textValue={`${name}, ${nameOfLanguage(language)}`} className={styles.row!}>
      <div className={styles.title}>
        <bdi>{name}</bdi>
        <Badge kind={category === 'marketing' ? 'warning' : 'plain'}>{t(categoryWords[category])}</Badge>
        <span className={styles.language}>{nameOfLanguage(language)}</span>
      </div>
      <p className={styles.text} dir="auto">
        {textOf(template)}
      </p>
      {refusal && <p className={styles.refusal}>{refusalWords(refusal)}</p>}
    </GridListItem>
  );
}

export function refusalWords(refusal: string): string {
  if (refusal === 'opt_in') return t('composer.template_no_opt_in');
  const id = `error.${refusal}`;
  return t(isWord(id) ? id : 'error.other');
}

function rankOf(template: Template, gate: PanelProps['gate']): number {
  return refusalOf(template, gate) ? 1 : 0;
}

function textOf(template: Template): string {
  return partOf(template, 'body')?.text ?? '';
}
