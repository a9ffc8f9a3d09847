import type { BroadcastPreview } from '@majlis/console-api';
import type { Channel, Template } from '@majlis/contract';
import { limits } from '@majlis/contract/limits';
import { Megaphone } from 'lucide-react';
import { useState } from 'react';
import { TemplatePreview } from '../composer/template-preview.tsx';
import { fileFormatOf, slotsOf } from '../composer/template-slots.ts';
import { request } from '../live/request.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Choice } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useTemplates } from '../templates/template-data.ts';
import { numberText } from '../words/amounts.ts';
import { t } from '../words/words.ts';
import { AudienceFields } from './audience-fields.tsx';
import { broadcastsPage, nameOfChannel, useChannels } from './broadcast-data.ts';
import styles from './broadcasts.module.css';
import type { Checked } from './checked.ts';
import { type Draft, emptyDraft, readList, requestOf } from './draft.ts';
import { Review } from './review.tsx';
import { TemplateChoice } from './template-choice.tsx';

const noFile = { choose: () => {}, remove: () => {} };

/** Makes a broadcast in two steps: what is sent to whom, then whom it reaches, what it costs and when it starts. */
export function NewBroadcast({ workspace_id }: { workspace_id: string }) {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [checked, setChecked] = useState<Checked>();
  const templates = useTemplates(workspace_id);
  const channels = useChannels(workspace_id);
  const back = <BackLink href={broadcastsPage(workspace_id)}>{t('broadcasts.back')}</BackLink>;
  return (
    <Page
      title={t('broadcasts.new')}
      hint={t(checked ? 'broadcasts.step_review' : 'broadcasts.step_compose')}
      action={back}
    >
      <Loaded query={templates}>
        {({ data }) => {
          const approved = data.filter(({ status }) => status === 'approved');
          if (approved.length === 0) {
            return (
              <Empty
                icon={<Megaphone aria-hidden />}
                title={t('broadcasts.no_template')}
                hint={t('broadcasts.no_template_hint')}
              />
            );
          }
          return (
            <>
              {checked && (
                <Review
                  workspace_id={workspace_id}
                  name={draft.name.trim()}
                  checked={checked}
                  onBack={() => setChecked(undefined)}
                />
              )}
              {/* It stays: its button is still announced as pending when the review is shown. */}
              <div hidden={checked !== undefined}>
                <Loaded query={channels}>
                  {(all) => (
                    <Compose
                      workspace_id={workspace_id}
                      draft={draft}
                      change={(part) => setDraft((before) => ({ ...before, ...part }))}
                      templates={approved}
                      channels={all.data}
                      onChecked={setChecked}
                    />
                  )}
                </Loaded>
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface ComposeProps {
  workspace_id: string;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  templates: readonly Template[];
  channels: readonly Channel[];
  onChecked: (checked: Checked) => void;
}

function Compose({ workspace_id, draft, change: changeDraft, templates, channels, onChecked }: ComposeProps) {
  const [fault, setFault] = useState<string>();
  const change = (part: Partial<Draft>) => {
    setFault(undefined);
    changeDraft(part);
  };
  // A broadcast has no file for a header.
  const usable = templates.filter((template) => fileFormatOf(template) === undefined);
  const template = usable.find(({ id }) => id === draft.template_id);
  const slots = template ? slotsOf(template) : [];
  const list = readList(draft, slots.length);
  const firstRow = draft.kind === 'recipients' ? list.table.rows[0] : undefined;
  const values = slots.map(({ example = '' }, index) => firstRow?.[list.columns.values[index]!] || example);

  async function check() {
    setFault(undefined);
    const missing = missingOf();
    if (missing !== undefined) return setFault(missing);
    const body = requestOf(draft, template!);
    const path = `/workspaces/${workspace_id}/broadcast-previews`;
    const preview = await request<BroadcastPreview>('POST', path, body, { timeout_ms: 60_000 });
    onChecked({ request: body, template: template!, preview });
    scrollTo({ top: 0 });
  }

  // Said beside the button: a sentence below its field would leave with the focus, and move the button under the pointer.
  function missingOf(): string | undefined {
    if (draft.name.trim() === '') return t('broadcasts.fault_name');
    if (channels.length > 1 && draft.channel_id === undefined) return t('broadcasts.fault_channel');
    if (!template) return t('broadcasts.fault_template');
    if (draft.kind === 'tags') return draft.tags.length === 0 ? t('broadcasts.fault_tags') : undefined;
    if (draft.kind === 'stage') return draft.stage_id === undefined ? t('broadcasts.fault_stage') : undefined;
    const { length } = list.table.rows;
    if (length === 0) return t('broadcasts.fault_list');
    const most = limits.broadcast_recipients;
    return length > most
      ? t('broadcasts.fault_many', { most: numberText(most), count: numberText(length) })
      : undefined;
  }

  return (
    <div className={styles.sides}>
      <div className={styles.column}>
        <Form submit={t('broadcasts.check')} send={check}>
          <div className={styles.group}>
            <Field
              label={t('broadcasts.name')}
              hint={t('broadcasts.name_hint')}
              name="name"
              autoFocus
              value={draft.name}
              onChange={(name) => change({ name })}
            />
            {channels.length > 1 && (
              <Choice
                label={t('broadcasts.channel')}
                options={channels.map((channel) => ({
                  id: channel.id,
                  label: nameOfChannel(channel, t('broadcasts.channel')),
                  ...(channel.display_phone !== undefined && { hint: `\u2066${channel.display_phone}\u2069` }),
                }))}
                value={draft.channel_id}
                onChange={(channel_id) => change({ channel_id })}
              />
            )}
          </div>
          <TemplateChoice
            templates={usable}
            hidden={templates.length - usable.length}
            value={draft.template_id}
            onChange={(template_id) => {
              const chosen = usable.find(({ id }) => id === template_id);
              // Only a list has values for variables.
              const kind = chosen && slotsOf(chosen).length > 0 ? 'recipients' : draft.kind;
              change({ template_id, kind });
            }}
          />
          <AudienceFields workspace_id={workspace_id} draft={draft} change={change} slots={slots} list={list} />
          {fault !== undefined && (
            <p className={styles.fault} role="alert">
              {fault}
            </p>
          )}
        </Form>
      </div>
      <div className={styles.preview}>
        {template ? (
          <TemplatePreview template={template} values={values} file={noFile} />
        ) : (
          <p className={styles.soft}>{t('broadcasts.preview_empty')}</p>
        )}
      </div>
    </div>
  );
}
