import type { ComingCategory } from '@majlis/console-api';
import type { Template, TemplateStatus } from '@majlis/contract';
import { CircleAlert, CircleCheck, CircleDashed, CirclePause, Clock, FileText, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { foldForSearch } from '../composer/find-trigger.ts';
import { nameOfLanguage } from '../composer/name-of-language.ts';
import { categoryWords } from '../composer/template-list.tsx';
import { partOf } from '../composer/template-slots.ts';
import type { Membership } from '../live/membership.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import { templatesPage, useComingCategories, useTemplates } from './template-data.ts';
import { TemplateEditor } from './template-editor.tsx';
import { TemplatePage } from './template-page.tsx';
import {
  comingText,
  qualityOf,
  qualityOrder,
  qualityText,
  qualityWords,
  reasonText,
  statusKinds,
  statusWords,
} from './template-words.ts';
import styles from './templates.module.css';

interface Props {
  membership: Membership;
  /** A template, or `new` for the editor. */
  object?: string | undefined;
}

/** The templates of a workspace, one of them, or the editor of a new one. */
export function TemplatesPage({ membership: { workspace_id }, object: template_id }: Props) {
  const templates = useTemplates(workspace_id);
  const coming = useComingCategories(workspace_id);
  const [, navigate] = useLocation();
  const [start, setStart] = useState<Template>();
  if (template_id === 'new') return <TemplateEditor workspace_id={workspace_id} start={start} />;
  const opened = templates.data?.data.find(({ id }) => id === template_id);
  if (template_id && (opened || !templates.data)) {
    return (
      <Loaded query={templates}>
        {({ data }) => (
          <TemplatePage
            key={template_id}
            workspace_id={workspace_id}
            template={opened!}
            coming={coming.get(template_id)}
            others={data.filter(({ id, name }) => id !== template_id && name === opened!.name).length}
            onUse={() => {
              setStart(opened);
              navigate(`${templatesPage(workspace_id)}/new`);
            }}
          />
        )}
      </Loaded>
    );
  }
  const create = (
    <Button
      look="primary"
      onPress={() => {
        setStart(undefined);
        navigate(`${templatesPage(workspace_id)}/new`);
      }}
    >
      <Plus size={18} aria-hidden />
      {t('templates.new')}
    </Button>
  );
  return (
    <Page title={t('templates.title')} hint={t('templates.hint')} action={create}>
      <Loaded query={templates}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<FileText aria-hidden />} title={t('templates.empty')} hint={t('templates.empty_hint')} />
          ) : (
            <Templates workspace_id={workspace_id} templates={data} coming={coming} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface ListProps {
  workspace_id: string;
  templates: readonly Template[];
  coming: ReadonlyMap<string, ComingCategory>;
}

function Templates({ workspace_id, templates, coming }: ListProps) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<TemplateStatus | 'all'>('all');
  const [language, setLanguage] = useState('all');
  const [quality, setQuality] = useState('all');
  const wanted = foldForSearch(search);
  const shown = templates
    .filter((template) => status === 'all' || template.status === status)
    .filter((template) => language === 'all' || template.language === language)
    .filter((template) => quality === 'all' || qualityOf(template) === quality)
    .filter((template) => foldForSearch(`${template.name} ${bodyOf(template)}`).includes(wanted))
    .sort((a, b) => a.name.localeCompare(b.name) || a.language.localeCompare(b.language));
  const languages = [...new Set(templates.map((template) => template.language))].sort();
  const qualities = [...new Set(templates.map(qualityOf))].sort(
    (a, b) => qualityOrder.indexOf(a) - qualityOrder.indexOf(b),
  );
  const statuses = (Object.keys(statusWords) as TemplateStatus[]).filter((one) =>
    templates.some((template) => template.status === one),
  );
  return (
    <>
      <div className={styles.filters}>
        <Field label={t('templates.search')} type="search" value={search} onChange={setSearch} />
        <Choice
          label={t('templates.state')}
          options={[
            { id: 'all', label: t('templates.all_states') },
            ...statuses.map((id) => ({ id, label: t(statusWords[id]) })),
          ]}
          value={status}
          onChange={setStatus}
        />
        <Choice
          label={t('templates.quality_of')}
          options={[
            { id: 'all', label: t('templates.all_qualities') },
            ...qualities.map((id) => ({ id, label: t(qualityWords[id]) })),
          ]}
          value={quality}
          onChange={setQuality}
        />
        <Choice
          label={t('templates.language')}
          options={[
            { id: 'all', label: t('composer.template_all_languages') },
            ...languages.map((id) => ({ id, label: nameOfLanguage(id) })),
          ]}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <p className={styles.soft} role="status">
        {t('templates.count', { count: shown.length })}
      </p>
      {shown.length === 0 ? (
        <Empty icon={<FileText aria-hidden />} title={t('templates.none_found')} />
      ) : (
        <List>
          {shown.map((template) => (
            <TemplateRow
              key={template.id}
              workspace_id={workspace_id}
              template={template}
              coming={coming.get(template.id)}
            />
          ))}
        </List>
      )}
    </>
  );
}

const icons: Record<TemplateStatus, typeof CircleCheck> = {
  draft: CircleDashed,
  pending: Clock,
  approved: CircleCheck,
  rejected: CircleAlert,
  paused: CirclePause,
  disabled: CircleAlert,
};

interface RowProps {
  workspace_id: string;
  template: Template;
  coming: ComingCategory | undefined;
}

function TemplateRow({ workspace_id, template, coming }: RowProps) {
  const { id, name, language, category, status } = template;
  const quality = qualityText(template);
  const Icon = icons[status];
  return (
    <Row
      start={<Icon size={18} className={styles.icon} data-status={status} aria-hidden />}
      title={
        <Link href={`${templatesPage(workspace_id)}/${id}`}>
          <bdi dir="ltr">{name}</bdi>
        </Link>
      }
      end={<Badge kind={statusKinds[status]}>{t(statusWords[status])}</Badge>}
    >
      <Soft>
        {nameOfLanguage(language)}
        {' · '}
        {t(categoryWords[category])}
        {quality !== undefined && ` · ${quality}`}
      </Soft>
      <p className={styles.text} dir="auto">
        {bodyOf(template)}
      </p>
      {coming && <p className={styles.soft}>{comingText(coming)}</p>}
      {status === 'rejected' && <p className={styles.reason}>{reasonText(template)}</p>}
    </Row>
  );
}

function bodyOf(template: Template): string {
  return partOf(template, 'body')?.text ?? '';
}
