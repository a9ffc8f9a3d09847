import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Choices } from '../conversation/thread/choices.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';
import { type ChoicesDraft, type ChoicesFault, choiceBounds, type DraftChoice } from './check-choices.ts';
import styles from './panel.module.css';

const empty: DraftChoice = { title: '', description: '' };

export const newChoices: ChoicesDraft = { form: 'buttons', body: '', choices: [empty, empty] };

interface Props {
  draft: ChoicesDraft;
  onChange: (draft: ChoicesDraft) => void;
  /** The preview stands below the fields, where there is no room beside them. */
  isStacked?: boolean;
}

/** A text and what a customer may answer with a press, beside their preview. */
export function ChoicesFields({ draft, onChange, isStacked = false }: Props) {
  const { form, body, choices } = draft;
  const textId = useId();
  const isFull = choices.length >= choiceBounds[form].choices;
  const set = (next: Partial<ChoicesDraft>) => onChange({ ...draft, ...next });

  function change(index: number, next: Partial<DraftChoice>): void {
    set({ choices: choices.map((choice, at) => (at === index ? { ...choice, ...next } : choice)) });
  }

  return (
    <div className={styles.sides} data-stacked={isStacked || undefined}>
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
          onChange={(next) => set({ form: next, choices: choices.slice(0, choiceBounds[next].choices) })}
        />
        <div className={styles.area}>
          <label htmlFor={textId}>{t('composer.interactive_text')}</label>
          <textarea
            id={textId}
            dir="auto"
            placeholder=" "
            rows={2}
            value={body}
            onChange={(event) => set({ body: event.target.value })}
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
              onPress={() => set({ choices: choices.filter((_, at) => at !== index) })}
            >
              <X size={16} aria-hidden />
            </Button>
          </div>
        ))}
        <div>
          <Button isDisabled={isFull} onPress={() => set({ choices: [...choices, empty] })}>
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
  );
}

/** Why it cannot be sent, in words. */
export function choicesFaultWords({ type, index = 0, excess = 0 }: ChoicesFault): string {
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
