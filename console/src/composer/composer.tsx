import type { DraftKind } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { MessageSquareReply, NotebookPen, SendHorizontal } from 'lucide-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { flushSync } from 'react-dom';
import { useMinutesUntil } from '../live/clock.ts';
import type { Membership } from '../live/membership.ts';
import { useProposals } from '../live/proposals.ts';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { lazyPiece } from '../parts/lazy-piece.ts';
import { useEditedProposals } from '../proposals/edits.ts';
import { loadProposalStrip } from '../proposals/load-proposals.ts';
import { t } from '../words/words.ts';
import { attachFiles, useAttachments } from './attachments.ts';
import { ColleaguesLine } from './colleagues-line.tsx';
import styles from './composer.module.css';
import { isNumberKnown, type Refused, type ToolAction, useComposerCommands } from './composer-actions.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { openDraft } from './drafts.ts';
import { useGate } from './gate.ts';
import { GateNotice } from './gate-notice.tsx';
import { HeldNotice } from './held-notice.tsx';
import { LaterButton } from './later/later-button.tsx';
import type { LaterMoment } from './later/later-props.ts';
import { MessagePrice } from './message-price.tsx';
import { tellRefusal } from './outbox.ts';
import { Panel } from './panel.tsx';
import {
  closePanel,
  hidePanel,
  type OpenedPanel,
  type Panel as OpenPanel,
  openPanel,
  usePanel,
  useSummary,
} from './panels.ts';
import { quotedStore } from './quoted.ts';
import { RefusalNotice } from './refusal-notice.tsx';
import { SavedMark } from './saved-mark.tsx';
import { Tools } from './tools.tsx';
import { useDrop } from './use-drop.ts';
import { createWriting, usePresence } from './use-writing.ts';
import { WindowCountdown } from './window-countdown.tsx';
import { WritingBox } from './writing-box.tsx';

const ProposalStrip = lazyPiece(loadProposalStrip);
const QuotedBar = lazyPiece(async () => (await import('./quoted-bar.tsx')).QuotedBar);
const AttachmentStrip = lazyPiece(async () => (await import('./attachment-strip.tsx')).AttachmentStrip, 'tools');

export interface ComposerProps {
  membership: Membership;
  conversation: Conversation;
}

const mostCharacters = 4_096;

/** Where a person writes: a reply to the customer, or a note to the team. */
export function Composer({ membership, conversation }: ComposerProps) {
  const { workspace_id } = membership;
  const [mode, setMode] = useState<DraftKind>('reply');
  const place = useRef<HTMLElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const presence = usePresence(workspace_id, conversation.id);
  // Both are read at once, so that a change of the mode waits for nothing.
  const drafts = {
    reply: openDraft({ workspace_id, conversation_id: conversation.id, kind: 'reply' }),
    note: openDraft({ workspace_id, conversation_id: conversation.id, kind: 'note' }),
  };
  const draft = drafts[mode];
  const { text } = useStore(draft.store);
  const quoted = useStore(quotedStore);
  const files = useAttachments(conversation.id);
  const proposals = useProposals(workspace_id, conversation.id);
  const edited = useEditedProposals(conversation.id);
  const gate = useGate(workspace_id, conversation.id);
  const minutes = useMinutesUntil(gate?.window_expires_at);
  const isWindowOver = gate?.free.code === 'window_closed' || (gate?.free.allowed === true && minutes === -1);
  const code = mode === 'note' || !gate ? undefined : isWindowOver ? 'window_closed' : gate.free.code;
  const writing = useMemo(() => createWriting(membership, conversation), [membership, conversation]);

  const opened = usePanel(conversation.id);
  const panel = opened?.panel;
  const summary = useSummary(conversation.id);
  const picker = useRef<HTMLInputElement>(null);

  function open(next: DraftKind, then?: () => void): void {
    // Drawn at once: of the letters behind the key, none is lost or taken for another key.
    flushSync(() => {
      setMode(next);
      if (next === 'reply' && panel && ownMessages.has(panel.type)) hidePanel(conversation.id);
    });
    box.current?.focus();
    // A menu that closes gives the focus back to its button first. The person's next key may lead it elsewhere before.
    const isLeft = new AbortController();
    addEventListener('keydown', () => isLeft.abort(), { capture: true, signal: isLeft.signal });
    requestAnimationFrame(() => {
      if (!isLeft.signal.aborted) box.current?.focus();
      isLeft.abort();
      then?.();
    });
  }
  function onFiles(chosen: readonly File[]): void {
    attachFiles({ workspace_id, conversation_id: conversation.id }, chosen);
    open('reply');
  }
  function onSend(): void {
    if (code !== undefined) return;
    presence.current?.stopped();
    writing.sendWritten(mode);
    box.current?.focus();
  }
  function onLater(moment: LaterMoment): void {
    presence.current?.stopped();
    void writing.scheduleWritten(moment);
    box.current?.focus();
  }
  function onInsert(kind: DraftKind, inserted: string): void {
    const target = openDraft({ workspace_id, conversation_id: conversation.id, kind });
    const before = target.store.get().text.trimEnd();
    target.write(before === '' ? inserted : `${before}\n${inserted}`);
    open(kind);
  }
  function close(type: OpenPanel['type']): void {
    closePanel(conversation.id, type);
    // A message that is written below the summary stays.
    if (type !== 'summary' || !isReplaced) open('reply');
  }
  function act(action: ToolAction | DraftKind): void {
    if (action === 'reply' || action === 'note') open(action);
    else if (action === 'attach') open('reply', () => picker.current?.click());
    else if (action === 'later') place.current?.querySelector<HTMLElement>('[data-later]')?.click();
    else if (action === 'canned') open('reply', () => box.current && typeSlash(box.current));
    else {
      setMode('reply');
      openPanel(conversation.id, panelOf(action));
    }
  }

  const refused: Refused = { isWindowOver, isNumberKnown: isNumberKnown(conversation) };
  useComposerCommands(act, refused);

  const drop = useDrop(onFiles);
  const isTemplateOnly = mode === 'reply' && code === 'window_closed';
  /** A panel with a message of its own stands in the place of the field. */
  const isReplaced = isTemplateOnly || (mode === 'reply' && panel !== undefined && ownMessages.has(panel.type));
  const panelProps = { membership, conversation, gate, isSendable: code === undefined, writing, onInsert };
  const isEmpty = text.trim() === '' && (mode === 'note' || files.length === 0);
  const excess = mode === 'note' ? 0 : [...text].length - mostCharacters;
  return (
    <section
      ref={place}
      className={styles.composer}
      data-mode={mode}
      data-composer={conversation.id}
      aria-label={t('composer.label')}
      tabIndex={-1}
      {...drop.handlers}
    >
      {drop.isOver && <p className={styles.drop}>{t('composer.drop')}</p>}
      {(proposals.length > 0 || edited.length > 0) && (
        <Suspense>
          <ProposalStrip workspace_id={workspace_id} waiting={proposals} edited={edited} />
        </Suspense>
      )}
      <HeldNotice membership={membership} conversation_id={conversation.id} onShow={() => open('reply')} />
      <RefusalNotice conversation_id={conversation.id} />
      <Tabs
        className={styles.tabs!}
        selectedKey={mode}
        onSelectionChange={(key) => setMode(key as DraftKind)}
        keyboardActivation="manual"
      >
        <div className={styles.top}>
          <TabList className={styles.modes!} aria-label={t('composer.mode')}>
            <Tab id="reply" className={styles.mode!}>
              <MessageSquareReply size={16} data-directional aria-hidden />
              {t('composer.reply')}
            </Tab>
            <Tab id="note" className={styles.mode!}>
              <NotebookPen size={16} aria-hidden />
              {t('composer.note')}
            </Tab>
          </TabList>
          <ColleaguesLine membership={membership} conversation_id={conversation.id} />
          <SavedMark draft={draft} />
          {mode === 'reply' && code === undefined && <MessagePrice price={gate?.price} />}
          {mode === 'reply' && code === undefined && <WindowCountdown minutes={minutes} />}
        </div>
        {/* The key gives each mode a panel of its own: a panel keeps its first id, which the other tab would not name. */}
        <TabPanel key={mode} id={mode} className={styles.panel!}>
          <DraftNotice draft={draft} />
          {mode === 'reply' && (
            <GateNotice membership={membership} conversation={conversation} gate={gate} code={code} />
          )}
          {mode === 'reply' && summary && <Panel opened={summary} {...panelProps} onClose={() => close('summary')} />}
          {mode === 'reply' && opened && !isTemplateOnly && (
            <Panel opened={opened} {...panelProps} onClose={() => close(opened.panel.type)} />
          )}
          {isTemplateOnly && (
            <>
              <KeptDraft text={text} />
              <Panel opened={panel?.type === 'templates' ? opened! : templates} {...panelProps} />
            </>
          )}
          {!isReplaced && (
            <>
              {mode === 'reply' && quoted?.conversation_id === conversation.id && (
                <Suspense>
                  <QuotedBar workspace_id={workspace_id} conversation={conversation} quoted={quoted} />
                </Suspense>
              )}
              {mode === 'reply' && files.length > 0 && (
                <Suspense>
                  <AttachmentStrip workspace_id={workspace_id} conversation={conversation} />
                </Suspense>
              )}
              <WritingBox
                membership={membership}
                conversation={conversation}
                mode={mode}
                draft={draft}
                box={box}
                onSend={onSend}
                onTyped={() => {
                  presence.current?.typed(mode);
                  tellRefusal(conversation.id, undefined);
                }}
                onFiles={onFiles}
              />
            </>
          )}
          <div className={styles.bottom}>
            <Tools
              mode={mode}
              refused={{ ...refused, isWindowOver: isTemplateOnly }}
              picker={picker}
              act={act}
              onFiles={onFiles}
            />
            <span className={styles.state} role="status">
              {excess > 0 && t('composer.too_long', { count: excess })}
            </span>
            {!isReplaced && mode === 'reply' && (
              <LaterButton
                workspace_id={workspace_id}
                gate={gate}
                isDisabled={isEmpty || excess > 0}
                onChoose={onLater}
              />
            )}
            {!isReplaced && (
              <Button look="primary" isDisabled={isEmpty || excess > 0 || code !== undefined} onPress={onSend}>
                {mode === 'note' ? t('composer.send_note') : t('composer.send')}
                {mode === 'reply' && <SendHorizontal size={16} data-directional aria-hidden />}
              </Button>
            )}
          </div>
        </TabPanel>
      </Tabs>
    </section>
  );
}

const templates: OpenedPanel = { panel: { type: 'templates' }, id: 0 };
const ownMessages: ReadonlySet<OpenPanel['type']> = new Set(['templates', 'choices', 'location', 'number']);

/** What stood in the field when the window closed. */
function KeptDraft({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return (
    <div className={styles.kept}>
      <p>{t('composer.kept_draft')}</p>
      <blockquote dir="auto">{text}</blockquote>
    </div>
  );
}

function panelOf(action: Exclude<ToolAction, 'attach' | 'canned' | 'later'>): OpenPanel {
  switch (action) {
    case 'ai_draft':
      return { type: 'ai_draft' };
    case 'ai_friendly':
    case 'ai_formal':
    case 'ai_concise':
      return { type: 'ai_draft', tone: action.slice('ai_'.length) as 'friendly' };
    default:
      return { type: action };
  }
}

/** Opens the list of canned replies as a person does: a slash at the caret, behind a space. */
function typeSlash(field: HTMLTextAreaElement): void {
  const before = field.value.slice(0, field.selectionStart);
  field.setRangeText(/(?:^|\s)$/.test(before) ? '/' : ' /', field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
