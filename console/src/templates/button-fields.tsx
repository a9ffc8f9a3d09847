import { Plus, X } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Menu } from '../parts/menu.tsx';
import { t } from '../words/words.ts';
import { type ButtonType, buttonTypes, type DraftButton, takesExample } from './template-draft.ts';
import styles from './templates.module.css';

interface Props {
  buttons: readonly DraftButton[];
  onChange: (buttons: readonly DraftButton[]) => void;
}

/** The platform takes ten buttons, and of some types fewer. */
const most: Record<ButtonType, number> = { quick_reply: 10, url: 2, phone_number: 1, copy_code: 1 };
const mostOfAll = 10;

export function ButtonFields({ buttons, onChange }: Props) {
  const free = buttonTypes.filter((type) => buttons.filter((one) => one.type === type).length < most[type]);
  function add(type: ButtonType) {
    const key = Math.max(0, ...buttons.map((one) => one.key)) + 1;
    const added = { key, type, text: '', url: '', phone_number: '', example: '' };
    // The platform wants quick replies side by side.
    const after = type === 'quick_reply' ? buttons.findLastIndex((one) => one.type === type) : -1;
    onChange(buttons.toSpliced(after < 0 ? buttons.length : after + 1, 0, added));
  }
  const change = (key: number, part: Partial<DraftButton>) =>
    onChange(buttons.map((one) => (one.key === key ? { ...one, ...part } : one)));
  return (
    <div className={styles.group}>
      <h3>{t('templates.buttons')}</h3>
      {buttons.map((button, index) => (
        <div key={button.key} className={styles.button}>
          <ButtonRow button={button} number={index + 1} onChange={(part) => change(button.key, part)} />
          <Button
            look="quiet"
            aria-label={t('templates.button_remove', { number: index + 1 })}
            onPress={() => onChange(buttons.filter((one) => one.key !== button.key))}
          >
            <X size={16} aria-hidden />
          </Button>
        </div>
      ))}
      {buttons.length < mostOfAll && (
        <div className={styles.actions}>
          <Menu
            label={t('templates.add_button')}
            entries={free.map((id) => ({ id, label: t(`templates.button_${id}`) }))}
            onAction={(id) => add(id as ButtonType)}
          >
            <Plus size={16} aria-hidden />
            {t('templates.add_button')}
          </Menu>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  button: DraftButton;
  number: number;
  onChange: (part: Partial<DraftButton>) => void;
}

function ButtonRow({ button, number, onChange }: RowProps) {
  const { key, type, text, url, phone_number, example } = button;
  return (
    <div className={styles.pair}>
      {type === 'copy_code' ? (
        <p>{t('templates.button_copy_code')}</p>
      ) : (
        <Field
          label={t('templates.button_text', { number })}
          hint={t(`templates.button_${type}`)}
          name={`button_text_${key}`}
          value={text}
          onChange={(value) => onChange({ text: value })}
        />
      )}
      {type === 'url' && (
        <Field
          label={t('templates.button_address', { number })}
          hint={t('templates.button_address_hint')}
          name={`button_url_${key}`}
          ltr
          value={url}
          onChange={(value) => onChange({ url: value })}
        />
      )}
      {type === 'phone_number' && (
        <Field
          label={t('templates.button_phone', { number })}
          name={`button_phone_${key}`}
          type="tel"
          ltr
          value={phone_number}
          onChange={(value) => onChange({ phone_number: value })}
        />
      )}
      {takesExample(button) && (
        <Field
          label={t('templates.button_example', { number })}
          name={`button_example_${key}`}
          ltr
          value={example}
          onChange={(value) => onChange({ example: value })}
        />
      )}
    </div>
  );
}
