import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Choices } from '../conversation/thread/choices.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';
import {
  type ChoicesFault,
  type ChoicesForm,
  choiceBounds,
  type DraftChoice,
  findChoicesFault,
  toInteractive,
} from './check-choices.ts';
import { LaterButton } from './later/later-button.tsx';
import type { LaterMoment } from './later/later-props.ts';
import styles from './panel.module.css';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';
import { type ChoicesGiven, openPanel } from './panels.ts';

const empty: DraftChoice = { title: '', description: '' };

/** A message whose answers the customer chooses from, beside its preview. */
export function ChoicesPanel(props: PanelProps & { given?: ChoicesGiven | undefined }) {
  const { conversation, writing, onClose, given } = props;
  const [form, setForm] = useState<ChoicesForm>(given?.form ?? 'buttons');
  const [body, setBody] = useState(given?.body ?? '');
  const [choices, setChoices] = useState<readonly DraftChoice[]>(given?.choices ?? [empty, empty]);
  const [isTried, setTried] = useState(false);
  const textId = useId();
  const bounds = choiceBounds[form];
  const fault = findChoicesFault(form, body, choices);
  const isFull = choices.length >= bounds.choices;

  function change(index: number, next: Partial<DraftChoice>): void {
    setChoices(choices.map((choice, at) => (at === index ? { ...choice, ...next } : choice)));
  }
  /** Now, or at its time. */
  function send(moment?: LaterMoment): void {
    setTried(true);
    if (fault || (!moment && !props.isSendable)) return;
    const text = body.trim();
    const content = { kind: 'interactive' as const, body: text, interactive: toInteractive(form, choices) };
    const giveBack = () => openPanel(conversation.id, { type: 'choices', given: { form, body, choices } });
    if (moment) void writing.scheduleContent(content, moment, giveBack);
    else writing.sendContent(content, text, giveBack);
    onClose?.();
  }

  return (
    <PanelFrame title={t('composer.interactive_title')} onClose={onClose}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div className={styles.sides}>
          <div className={styles.fields}>
            <Choice
              label={t('composer.interactive_form')}
              options={[
                {
                  id: 'buttons',
                  label: t('composer.interactive_buttons'),
                  hint: t('composer.interactive_buttons_hint'),
                },
                { id: 'list', label: t('composer.interactive_list'), hint: t('composer.interactive_list_hint') },
              ]}
              value={form}
              onChange={(next) => {
                setForm(next);
                setChoices(choices.slice(0, choiceBounds[next].choices));
              }}
            />
            <div className={styles.area}>
              <label htmlFor={textId}>{t('composer.interactive_text')}</label>
              <textarea
                id={textId}
                dir="auto"
                placeholder=" "
                rows={2}
                value={body}
                onChange={(event) => setBody(event.target.value)}
              />
            </div>
            {choices.map((choice, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a choice is its place
              <div key={index} className={styles.choice}>
                <div className={styles.pair}>
                  <Field
                    label={t('composer.interactive_choice', { number: index + 1 })}
                    value={choice.title}
                    onChange={(title) => change(index, { title })}
                  />
                  {form === 'list' && (
                    <Field
                      label={t('composer.interactive_description', { number: index + 1 })}
                      value={choice.description}
                      onChange={(description) => change(index, { description })}
                    />
                  )}
                </div>
                <Button
                  look="quiet"
                  isDisabled={choices.length === 1}
                  aria-label={t('composer.interactive_remove', { number: index + 1 })}
                  onPress={() => setChoices(choices.filter((_, at) => at !== index))}
                >
                  <X size={16} aria-hidden />
                </Button>
              </div>
            ))}
            <div>
              <Button isDisabled={isFull} onPress={() => setChoices([...choices, empty])}>
                <Plus size={16} aria-hidden />
                {t('composer.interactive_add')}
              </Button>
            </div>
          </div>
          <figure className={styles.preview}>
            <figcaption className={styles.soft}>{t('composer.template_preview')}</figcaption>
            <div className={styles.bubble} data-preview>
              <span dir="auto">{body || '…'}</span>
              <Choices
                label={t(form === 'list' ? 'composer.interactive_list' : 'composer.interactive_buttons')}
                choices={choices.map(({ title, description }) => ({
                  title: title || '…',
                  ...(form === 'list' && description && { description }),
                }))}
                isList={form === 'list'}
              />
            </div>
          </figure>
        </div>
        <div className={styles.actions}>
          {/* What is merely missing is said after the first attempt alone. */}
          {fault && (isTried || !fault.type.startsWith('no_')) && <p role="alert">{wordsOf(fault)}</p>}
          <LaterButton
            workspace_id={props.membership.workspace_id}
            gate={props.gate}
            isDisabled={false}
            onChoose={send}
          />
          <Button type="submit" look="primary" isDisabled={!props.isSendable}>
            {t('composer.send')}
          </Button>
        </div>
      </form>
    </PanelFrame>
  );
}

function wordsOf({ type, index = 0, excess = 0 }: ChoicesFault): string {
  const number = index + 1;
  switch (type) {
    case 'no_body':
      return t('composer.interactive_no_text');
    case 'long_body':
      return `${t('composer.interactive_text')}: ${t('composer.too_long', { count: excess })}`;
    case 'no_title':
      return t('composer.interactive_no_title', { number });
    case 'same_title':
      return t('composer.interactive_same', { number });
    case 'long_title':
      return `${t('composer.interactive_choice', { number })}: ${t('composer.too_long', { count: excess })}`;
    case 'long_description':
      return `${t('composer.interactive_description', { number })}: ${t('composer.too_long', { count: excess })}`;
  }
}
