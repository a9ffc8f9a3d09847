import type { Contact } from '@majlis/contract';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button as AriaButton, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { attempt } from '../app/attempt.ts';
import { Button } from '../parts/button.tsx';
import popover from '../parts/popover.module.css';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { type ContactAddress, editContact, useTags } from './contact-data.ts';
import styles from './contact-panel.module.css';

const mostShown = 24;
const mostSuggested = 50;

/** The tags of a contact. Each is added and removed by itself, so two people do not collide. */
export function Tags({ address, contact }: { address: ContactAddress; contact: Contact }) {
  const [isAll, showAll] = useState(false);
  const [isAdding, setAdding] = useState(false);
  // Shown before the service has answered.
  const [pending, setPending] = useState<{ added?: string; removed?: string }>({});
  const line = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const kept = contact.tags.filter((tag) => tag !== pending.removed);
  const tags = pending.added && !kept.includes(pending.added) ? [...kept, pending.added] : kept;
  const shown = isAll ? tags : tags.slice(0, mostShown);

  async function change(next: { added?: string; removed?: string }) {
    setPending(next);
    await attempt(() =>
      editContact(address, {
        ...(next.added && { add_tags: [next.added] }),
        ...(next.removed && { remove_tags: [next.removed] }),
      }),
    );
    setPending({});
  }

  function endAdding() {
    setAdding(false);
    // The button is there again after this is drawn.
    setTimeout(() => line.current?.querySelector<HTMLElement>('button:last-of-type')?.focus());
  }

  async function remove(tag: string, index: number) {
    await change({ removed: tag });
    // The keyboard stays where the tag was.
    const buttons = list.current?.querySelectorAll('button') ?? [];
    buttons[Math.min(index, buttons.length - 1)]?.focus();
  }

  return (
    <>
      {tags.length === 0 && !isAdding && <p className={styles.soft}>{t('contact.no_tags')}</p>}
      <ul className={styles.tags} ref={list}>
        {shown.map((tag, index) => (
          <li key={tag} className={styles.tag}>
            <bdi>{tag}</bdi>
            <AriaButton
              className={styles.tagRemove!}
              aria-label={t('contact.tag_remove', { tag: isolated(tag) })}
              onPress={() => void remove(tag, index)}
            >
              <X size={14} aria-hidden />
            </AriaButton>
          </li>
        ))}
      </ul>
      <div className={styles.line} ref={line}>
        {tags.length > shown.length && (
          <Button look="quiet" onPress={() => showAll(true)}>
            {t('contact.tags_all', { count: tags.length })}
          </Button>
        )}
        {isAdding ? (
          <AddTag
            workspace_id={address.workspace_id}
            known={contact.tags}
            onAdd={(added) => {
              endAdding();
              void change({ added });
            }}
            onClose={endAdding}
          />
        ) : (
          <Button look="quiet" onPress={() => setAdding(true)}>
            <Plus size={16} aria-hidden />
            {t('contact.tag_add')}
          </Button>
        )}
      </div>
    </>
  );
}

interface AddTagProps {
  workspace_id: string;
  known: readonly string[];
  onAdd: (tag: string) => void;
  onClose: () => void;
}

function AddTag({ workspace_id, known, onAdd, onClose }: AddTagProps) {
  const [text, setText] = useState('');
  const all = useTags(workspace_id, true);
  const typed = text.trim();
  const folded = typed.toLocaleLowerCase();
  const suggested = all
    .filter(({ name }) => !known.includes(name) && name.toLocaleLowerCase().includes(folded))
    .toSorted((a, b) => b.contacts - a.contacts)
    .slice(0, mostSuggested);
  function add(tag: string) {
    if (tag !== '' && !known.includes(tag)) onAdd(tag);
    else onClose();
  }
  return (
    <ComboBox
      className={styles.addTag!}
      aria-label={t('contact.tag_add')}
      allowsCustomValue
      allowsEmptyCollection
      menuTrigger="focus"
      items={suggested}
      inputValue={text}
      onInputChange={setText}
      selectedKey={null}
      onSelectionChange={(key) => key !== null && add(String(key))}
    >
      <Input
        className={styles.tagInput!}
        dir="auto"
        autoFocus
        maxLength={200}
        placeholder={t('contact.tag_add')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          const isChoosing = event.currentTarget.getAttribute('aria-activedescendant') !== null;
          if (event.key === 'Enter' && !isChoosing) add(typed);
        }}
        onBlur={() => typed === '' && onClose()}
      />
      <Popover className={popover.popover!} isNonModal>
        <ListBox
          className={popover.items!}
          renderEmptyState={() => <p className={styles.emptyItem}>{t('contact.tag_new')}</p>}
        >
          {({ name, contacts }: (typeof suggested)[number]) => (
            <ListBoxItem id={name} textValue={name} className={popover.item!}>
              <bdi className={popover.text}>{name}</bdi>
              <span className={popover.detail}>{t('contact.tag_used', { count: contacts })}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
