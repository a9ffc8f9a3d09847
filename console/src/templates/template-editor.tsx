import type { Channel, Template } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { HeaderFile, useHeaderFile } from '../composer/header-file.tsx';
import { createHeaderUpload } from '../composer/header-upload.ts';
import { nameOfLanguage } from '../composer/name-of-language.ts';
import { categoryWords } from '../composer/template-list.tsx';
import { slotsOf } from '../composer/template-slots.ts';
import { queries } from '../live/queries.ts';
import { Failure, request } from '../live/request.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { tell } from '../parts/toasts.ts';
import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';
import { ButtonFields } from './button-fields.tsx';
import { findDraftFaults } from './find-draft-faults.ts';
import { PhonePreview } from './phone-preview.tsx';
import { templatesPage, templatesPath } from './template-data.ts';
import {
  componentsOf,
  composeDraft,
  draftOf,
  emptyDraft,
  headerKinds,
  numbersIn,
  type TemplateDraft,
} from './template-draft.ts';
import styles from './templates.module.css';

const languages = ['ar', 'en', 'en_US', 'en_GB', 'fr', 'es', 'pt_BR', 'de', 'it', 'tr', 'ur', 'hi', 'fa', 'id', 'ru'];
const categories = ['utility', 'marketing', 'authentication'] as const;

const untold = new Set<WordId>(['templates.fault_needed', 'templates.fault_sample']);

interface Props {
  workspace_id: string;
  /** The template to begin with. */
  start: Template | undefined;
}

/** Writes a template beside the message as the customer will see it, and submits it to the review. */
export function TemplateEditor({ workspace_id, start }: Props) {
  const [draft, setDraft] = useState<TemplateDraft>(start ? draftOf(start) : emptyDraft);
  const [sampleFault, setSampleFault] = useState<string>();
  const [, navigate] = useLocation();
  const [upload] = useState(() => createHeaderUpload(workspace_id));
  const file = useHeaderFile(upload);
  const body = useRef<HTMLTextAreaElement>(null);
  const channels = useQuery({
    queryKey: [`/workspaces/${workspace_id}/channels`],
    queryFn: () => request<{ data: Channel[] }>('GET', `/workspaces/${workspace_id}/channels`),
  });
  const whole = { ...draft, media_id: file.media?.id };
  const change = (part: Partial<TemplateDraft>) => setDraft((before) => ({ ...before, ...part }));
  const isCode = draft.category === 'authentication';
  const isFile = draft.header !== 'none' && draft.header !== 'text';
  const numbers = numbersIn(draft.body);

  const found = findDraftFaults(whole);
  // What is still empty is told with the submission alone.
  const told = Object.fromEntries(
    [...found].flatMap(([field, { word, values }]) =>
      untold.has(word) || (field === 'name' && draft.name === '') ? [] : [[field, t(word, values)]],
    ),
  );

  async function send() {
    const faults = new Map([...found].map(([field, { word, values }]) => [field, t(word, values)] as const));
    setSampleFault(faults.get('sample'));
    faults.delete('sample');
    if (faults.size > 0) throw new Failure('unprocessable_content', faults);
    if (isFile && !whole.media_id) return;
    const made = await submit().catch((error) => {
      throw toFields(error);
    });
    await queries.invalidateQueries({ queryKey: [templatesPath(workspace_id)] });
    tell(t('templates.submitted'));
    navigate(`${templatesPage(workspace_id)}/${made.id}`);
  }
  const submit = () => request<Template>('POST', templatesPath(workspace_id), composeDraft(whole));

  function insertVariable() {
    const area = body.current;
    if (!area) return;
    const next = (numbers.at(-1) ?? 0) + 1;
    area.setRangeText(`{{${next}}}`, area.selectionStart, area.selectionEnd, 'end');
    change({ body: area.value });
    area.focus();
  }

  const back = <BackLink href={templatesPage(workspace_id)}>{t('templates.back')}</BackLink>;
  return (
    <Page title={t('templates.editor')} action={back}>
      {channels.data?.data.length === 0 && (
        <Notice action={<Link href={`/w/${workspace_id}/channels`}>{t('templates.to_channels')}</Link>}>
          {t('templates.no_channel')}
        </Notice>
      )}
      <div className={styles.sides}>
        <div className={styles.fields}>
          <Form submit={t('templates.submit')} send={send} faults={told}>
            <Field
              label={t('templates.name')}
              hint={t('templates.name_hint')}
              name="name"
              ltr
              autoFocus
              value={draft.name}
              onChange={(name) => change({ name })}
            />
            <div className={styles.pair}>
              <Choice
                label={t('templates.language')}
                options={[...new Set([...languages, draft.language])].map((id) => ({
                  id,
                  label: nameOfLanguage(id),
                  hint: id,
                }))}
                value={draft.language}
                onChange={(language) => change({ language })}
              />
              <Choice
                label={t('templates.category')}
                options={categories.map((id) => ({
                  id,
                  label: t(categoryWords[id]),
                  hint: t(`templates.category_${id}_hint`),
                }))}
                value={draft.category}
                onChange={(category) => change({ category })}
              />
            </div>
            {isCode ? (
              <Notice>{t('templates.authentication_text')}</Notice>
            ) : (
              <>
                <HeaderFields draft={draft} change={change}>
                  {isFile && (
                    <>
                      <HeaderFile format={draft.header} file={file} />
                      <p className={styles.soft}>{t('templates.sample_hint')}</p>
                      {sampleFault && (
                        <p className={styles.reason} role="alert">
                          {sampleFault}
                        </p>
                      )}
                    </>
                  )}
                </HeaderFields>
                <div className={styles.group}>
                  <TextArea
                    label={t('templates.body')}
                    hint={t('templates.body_hint')}
                    name="body"
                    area={body}
                    value={draft.body}
                    onChange={(text) => change({ body: text })}
                  />
                  <div className={styles.actions}>
                    <Button onPress={insertVariable}>
                      <Braces size={16} aria-hidden />
                      {t('templates.add_variable')}
                    </Button>
                  </div>
                  <Examples draft={draft} numbers={numbers} change={change} />
                </div>
                <Field
                  label={t('templates.footer')}
                  hint={t('templates.footer_hint')}
                  name="footer"
                  value={draft.footer}
                  onChange={(footer) => change({ footer })}
                />
                <ButtonFields buttons={draft.buttons} onChange={(buttons) => change({ buttons })} />
              </>
            )}
          </Form>
        </div>
        <div className={styles.preview}>
          <Preview draft={whole} file={file} />
        </div>
      </div>
    </Page>
  );
}

interface PartProps {
  draft: TemplateDraft;
  change: (part: Partial<TemplateDraft>) => void;
}

function HeaderFields({ draft, change, children }: PartProps & { children: React.ReactNode }) {
  return (
    <div className={styles.group}>
      <Choice
        label={t('templates.header')}
        options={headerKinds.map((id) => ({ id, label: t(`templates.header_${id}`) }))}
        value={draft.header}
        onChange={(header) => change({ header })}
      />
      {draft.header === 'text' && (
        <Field
          label={t('templates.header_words')}
          hint={t('templates.header_words_hint')}
          name="header_text"
          value={draft.header_text}
          onChange={(header_text) => change({ header_text })}
        />
      )}
      {draft.header === 'text' && numbersIn(draft.header_text).length > 0 && (
        <Field
          label={t('templates.example_header')}
          name="header_example"
          value={draft.header_example}
          onChange={(header_example) => change({ header_example })}
        />
      )}
      {children}
    </div>
  );
}

function Examples({ draft, numbers, change }: PartProps & { numbers: readonly number[] }) {
  if (numbers.length === 0) return null;
  return (
    <>
      <h3>{t('templates.examples')}</h3>
      <p className={styles.soft}>{t('templates.examples_hint')}</p>
      <div className={styles.pair}>
        {numbers.map((number) => (
          <Field
            key={number}
            label={t('templates.example_body', { name: `\u2066{{${number}}}\u2069` })}
            name={`example_${number}`}
            value={draft.examples[number] ?? ''}
            onChange={(value) => change({ examples: { ...draft.examples, [number]: value } })}
          />
        ))}
      </div>
    </>
  );
}

function Preview({ draft, file }: { draft: TemplateDraft; file: ReturnType<typeof useHeaderFile> }) {
  const template = { ...composeDraft(draft), components: componentsOf(draft) } as Template;
  const isCode = draft.category === 'authentication';
  const shown = isCode ? { ...template, components: [{ type: 'body' as const, text: '*123456*' }] } : template;
  return <PhonePreview template={shown} values={slotsOf(shown).map(({ example = '' }) => example)} file={file} />;
}

/** The service names places of the body, and the fields of the page have names of their own. */
function toFields(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const members = new Map(
    [...error.members].map(([pointer, detail]) =>
      pointer === 'name' ? [pointer, t('templates.fault_name_taken')] : [pointer, detail],
    ),
  );
  return new Failure(error.code, members, error.retry_after_seconds);
}
