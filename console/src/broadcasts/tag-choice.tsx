import { X } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, ToggleButton } from 'react-aria-components';
import { foldForSearch } from '../composer/find-trigger.ts';
import { useTags } from '../contacts/contact-data.ts';
import { Field } from '../parts/field.tsx';
import { numberText } from '../words/amounts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';

interface Props {
  workspace_id: string;
  value: readonly string[];
  onChange: (tags: readonly string[]) => void;
}

const mostShown = 30;

/** Any of some tags; each says how many contacts carry it. */
export function TagChoice({ workspace_id, value, onChange }: Props) {
  const [search, setSearch] = useState('');
  const tags = useTags(workspace_id, true);
  const wanted = foldForSearch(search);
  const found = tags.filter(({ name }) => !value.includes(name) && foldForSearch(name).includes(wanted));
  const toggle = (name: string, isOn: boolean) =>
    onChange(isOn ? [...value, name] : value.filter((one) => one !== name));
  return (
    <div className={styles.column}>
      <p className={styles.soft}>{t(tags.length === 0 ? 'broadcasts.no_tags' : 'broadcasts.tags_hint')}</p>
      {value.length > 0 && (
        <ul className={styles.chips}>
          {value.map((name) => (
            <li key={name} className={styles.chip} data-chosen>
              <bdi>{name}</bdi>
              <AriaButton
                className={styles.chipRemove!}
                aria-label={t('broadcasts.tag_remove', { tag: isolated(name) })}
                onPress={() => toggle(name, false)}
              >
                <X size={14} aria-hidden />
              </AriaButton>
            </li>
          ))}
        </ul>
      )}
      {tags.length > mostShown && (
        <Field label={t('broadcasts.tag_search')} type="search" value={search} onChange={setSearch} />
      )}
      <div className={styles.chips}>
        {found.slice(0, mostShown).map(({ name, contacts }) => (
          <ToggleButton key={name} className={styles.chip!} isSelected={false} onChange={(isOn) => toggle(name, isOn)}>
            <bdi>{name}</bdi>
            <small>{numberText(contacts)}</small>
          </ToggleButton>
        ))}
      </div>
    </div>
  );
}
