import { UserRound } from 'lucide-react';
import { Field } from '../parts/field.tsx';
import { Menu } from '../parts/menu.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { HeaderFile } from './header-file.tsx';
import styles from './panel.module.css';
import { firstNameOf } from './people.ts';
import { slotLabel } from './slot-label.ts';
import { TemplatePreview } from './template-preview.tsx';
import { type ContactValues, fileFormatOf, type Slot } from './template-slots.ts';
import type { TemplateDraft } from './use-template-draft.ts';

interface Props {
  draft: TemplateDraft;
  /** The preview stands below the fields, where there is no room beside them. */
  isStacked?: boolean;
}

/** The values of a template, beside the message as the customer will see it. */
export function TemplateFields({ draft, isStacked = false }: Props) {
  const { template, slots, values, known, file, set } = draft;
  const format = fileFormatOf(template);
  return (
    <div className={styles.sides} data-stacked={isStacked || undefined}>
      <div className={styles.fields}>
        {format && <HeaderFile format={format} file={file} />}
        {slots.map((slot, index) => (
          <div key={`${slot.part} ${slot.number}`} className={styles.choice}>
            <Field
              name={`value_${index + 1}`}
              label={slotLabel(slot)}
              value={values[index]!}
              onChange={(value) => set(index, value)}
              isRequired
              {...(slot.example !== undefined && {
                hint: t('composer.template_example', { example: isolated(slot.example) }),
              })}
            />
            <ContactMenu slot={slot} known={known} onTake={(value) => set(index, value)} />
          </div>
        ))}
        {slots.length === 0 && !format && <p className={styles.soft}>{t('composer.template_no_values')}</p>}
      </div>
      <TemplatePreview template={template} values={values} file={file} />
    </div>
  );
}

function ContactMenu({ slot, known, onTake }: { slot: Slot; known: ContactValues; onTake: (value: string) => void }) {
  const entries = [...new Set([known.name, firstNameOf(known.name), known.phone, known.email])]
    .filter(Boolean)
    .map((value) => ({ id: value, label: value }));
  if (entries.length === 0) return null;
  return (
    <Menu label={`${t('composer.template_from_contact')}: ${slotLabel(slot)}`} entries={entries} onAction={onTake}>
      <UserRound size={16} aria-hidden />
    </Menu>
  );
}
