import type { DraftKind } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, Suspense, useId, useState } from 'react';
import type { Membership } from '../live/membership.ts';
import { useStore } from '../live/store.ts';
import { lazyPiece } from '../parts/lazy-piece.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import type { OpenDraft } from './drafts.ts';
import { findTrigger, type Trigger } from './find-trigger.ts';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';
import styles from './writing-box.module.css';

interface Props {
  membership: Membership;
  conversation: Conversation;
  mode: DraftKind;
  draft: OpenDraft;
  box: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
  onTyped: () => void;
  onFiles: (files: readonly File[]) => void;
}

const SuggestionList = lazyPiece(async () => (await import('./suggestion-list.tsx')).SuggestionList);

// On a screen keyboard, Enter is the only way to a new line.
const isTouch = matchMedia('(pointer: coarse) and (hover: none)');

/** The field that a person writes in. It grows with its text. */
export function WritingBox({ membership, conversation, mode, draft, box, onSend, onTyped, onFiles }: Props) {
  const { text, phase } = useStore(draft.store);
  const [trigger, setTrigger] = useState<Trigger>();
  /** By its id: the list may change under the hands of the person. */
  const [current, setCurrent] = useState<string>();
  const id = useId();
  /** The text at which Enter was pressed before anybody knew what fits. */
  const [awaited, setAwaited] = useState<string>();
  const { state, list } = useSuggestions(trigger, membership, conversation);
  const isOpen = trigger !== undefined && (awaited === text || state !== 'waiting');
  const found = list.findIndex((one) => one.id === current);
  const active = found < 0 && list.length > 0 ? 0 : found;

  function look(field: HTMLTextAreaElement): void {
    const before = field.value.slice(0, field.selectionStart);
    setTrigger(findTrigger(before, mode === 'note'));
    setCurrent(undefined);
  }

  function write(field: HTMLTextAreaElement): void {
    draft.write(field.value);
    if (field.value !== '') onTyped();
    look(field);
  }

  function take(suggestion: Suggestion): void {
    const field = box.current;
    if (!field || !trigger) return;
    field.focus();
    field.setRangeText(suggestion.text, trigger.start, field.selectionStart, 'end');
    draft.write(field.value);
    setTrigger(undefined);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (isOpen && steer(event)) return event.preventDefault();
    // Single keys act from there, and the next Tab goes on from the composer.
    if (event.key === 'Escape') event.currentTarget.closest('section')?.focus();
    const isModified = event.shiftKey || event.altKey;
    if (event.key !== 'Enter' || isModified) return;
    if (isTouch.matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (trigger && state === 'waiting') return setAwaited(text);
    // A key that is held down has done something else first, as taking a suggestion.
    if (!event.repeat) onSend();
  }

  /** The keys of the open list. */
  function steer({ key, shiftKey }: KeyboardEvent): boolean {
    const count = list.length;
    const chosen = list[active];
    if (key === 'Escape') setTrigger(undefined);
    else if (key === 'ArrowDown' && count > 0) setCurrent(list[(active + 1) % count]!.id);
    else if (key === 'ArrowUp' && count > 0) setCurrent(list[(active - 1 + count) % count]!.id);
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey && chosen) take(chosen);
    else return false;
    return true;
  }

  function onPaste(event: ClipboardEvent): void {
    const files = [...event.clipboardData.files];
    if (files.length === 0 || mode === 'note') return;
    event.preventDefault();
    onFiles(files);
  }

  const name = conversation.contact_name ?? conversation.contact_handle ?? t('inbox.unnamed');
  return (
    <div className={styles.place}>
      {isOpen && (
        <Suspense>
          <SuggestionList id={id} type={trigger.type} state={state} list={list} active={active} onTake={take} />
        </Suspense>
      )}
      {/* The copy below has the height of the text, and the field fills it. */}
      <div className={styles.grow} data-text={`${text}\n`}>
        <textarea
          ref={box}
          className={styles.box}
          dir="auto"
          rows={1}
          value={text}
          // A disabled field would refuse the focus that a shortcut gives it.
          readOnly={phase === 'loading' && text === ''}
          aria-busy={phase === 'loading'}
          aria-label={t(mode === 'note' ? 'composer.note_label' : 'composer.reply_label')}
          aria-autocomplete="list"
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
          placeholder={
            mode === 'note' ? t('composer.note_placeholder') : t('composer.reply_placeholder', { name: isolated(name) })
          }
          onChange={(event) => write(event.currentTarget)}
          onSelect={(event) => trigger && look(event.currentTarget)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => setTrigger(undefined)}
        />
      </div>
    </div>
  );
}
