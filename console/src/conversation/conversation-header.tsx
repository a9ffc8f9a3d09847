import type { ConversationState } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { ArrowLeft, CircleCheck, Ellipsis, PanelRight, RotateCcw } from 'lucide-react';
import { type RefObject, Suspense, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useChannelName } from '../live/directory.ts';
import { useLiveQuery } from '../live/live-query.ts';
import type { Membership } from '../live/membership.ts';
import { readOpening } from '../live/opening.ts';
import { ActionMenu } from '../parts/action-menu.tsx';
import { Button } from '../parts/button.tsx';
import { lazyPiece } from '../parts/lazy-piece.ts';
import { OneLine } from '../parts/one-line.tsx';
import { t } from '../words/words.ts';
import styles from './conversation-header.module.css';
import { reopen } from './header/actions.ts';
import { Chips } from './header/chips.tsx';
import type { Opened } from './header/opened.ts';
import { PhoneLink } from './header/phone-link.tsx';
import { type MenuKind, useActionMenus } from './header/use-action-menus.tsx';
import { useConversationCommands } from './header/use-conversation-commands.tsx';
import { Viewers } from './header/viewers.tsx';

const CloseDialog = lazyPiece(async () => (await import('./header/close-dialog.tsx')).CloseDialog, 'tools');
const SnoozeDialog = lazyPiece(async () => (await import('./header/snooze-dialog.tsx')).SnoozeDialog);

interface Props {
  membership: Membership;
  conversation: Conversation;
  isPanelOpen: boolean;
  onTogglePanel: () => void;
}

/** Whose conversation it is, who answers in it, and the actions on it. */
export function ConversationHeader({ membership, conversation, isPanelOpen, onTogglePanel }: Props) {
  const [, navigate] = useLocation();
  const [shown, show] = useState<{ opened: Opened; anchor: RefObject<HTMLElement | null> }>();
  const opened = shown?.opened;
  const bar = useRef<HTMLElement>(null);
  const open = (next: Opened) => show({ opened: next, anchor: { current: findAnchor(bar.current, next) } });
  const { workspace_id } = membership;
  const { id, contact_name, contact_handle, channel_id } = conversation;
  const { data: state } = useLiveQuery<ConversationState>(
    `/workspaces/${workspace_id}/conversations/${id}/state`,
    (change) => change.conversation_id === id && (change.kind === 'conversation' || change.kind === 'message'),
    async () => (await readOpening(workspace_id, id)).state,
  );
  const channel = useChannelName(workspace_id, channel_id);
  const target = { workspace_id, conversation };
  const menus = useActionMenus({ membership, conversation, state, opened, onOwnTime: () => open('own_time') });
  useConversationCommands({ membership, conversation, state, open, onTogglePanel });
  const isClosed = conversation.status === 'closed';
  const end = () => show(undefined);
  const content = opened && opened in menus ? menus[opened as MenuKind]() : undefined;
  return (
    <header className={styles.header} ref={bar}>
      <div className={styles.line}>
        <span className={styles.back}>
          <Button
            look="quiet"
            aria-label={t('app.back')}
            onPress={() => navigate(`/w/${workspace_id}/inbox${location.search}`)}
          >
            <ArrowLeft size={18} data-directional aria-hidden />
          </Button>
        </span>
        <div className={styles.who}>
          <h2 className={styles.name}>
            <OneLine isCode={!contact_name && contact_handle !== undefined}>
              {contact_name ?? contact_handle ?? t('inbox.unnamed')}
            </OneLine>
          </h2>
          <p className={styles.address}>
            {contact_name && contact_handle && (
              <span>
                <bdi dir="ltr">{contact_handle}</bdi>
              </span>
            )}
            {channel && (
              <span>
                <bdi>{channel}</bdi>
              </span>
            )}
          </p>
        </div>
        <Viewers membership={membership} conversation_id={id} />
        <PhoneLink handle={contact_handle} />
        <span className={styles.wide}>
          <Button onPress={() => (isClosed ? void reopen(target) : open('close'))}>
            {isClosed ? <RotateCcw size={16} data-directional aria-hidden /> : <CircleCheck size={16} aria-hidden />}
            {t(isClosed ? 'panel.reopen' : 'panel.close')}
          </Button>
        </span>
        <span className={styles.narrow} data-anchor="all">
          <Button
            look="quiet"
            aria-label={t('panel.actions')}
            aria-haspopup="menu"
            aria-expanded={opened === 'all'}
            onPress={() => open('all')}
          >
            <Ellipsis size={18} aria-hidden />
          </Button>
        </span>
        <Button look="quiet" aria-label={t('panel.toggle')} aria-expanded={isPanelOpen} onPress={onTogglePanel}>
          <PanelRight size={18} data-directional aria-hidden />
        </Button>
      </div>
      <Chips membership={membership} conversation={conversation} state={state} opened={opened} open={open} />
      {shown && opened === 'all' && (
        <ActionMenu
          label={t('panel.actions')}
          anchor={shown.anchor}
          sections={[{ id: 'all', entries: foldedEntries(conversation, state) }]}
          onAction={(entry) => {
            if (entry === 'reopen') void reopen(target);
            // The menu that closes must not close the one that opens.
            else setTimeout(() => open(entry as Opened));
          }}
          onClose={() => show((now) => (now === shown ? undefined : now))}
        />
      )}
      {shown && content && (
        <ActionMenu
          label={content.label}
          anchor={shown.anchor}
          sections={content.sections}
          onAction={(entry) => content.act(entry)}
          onClose={() => show((now) => (now === shown ? undefined : now))}
        />
      )}
      <Suspense>
        {opened === 'close' && <CloseDialog target={target} onClose={end} />}
        {opened === 'own_time' && <SnoozeDialog target={target} onClose={end} />}
      </Suspense>
    </header>
  );
}

/** The chip of the menu, or the one button of a narrow header. */
function findAnchor(bar: HTMLElement | null, opened: Opened): HTMLElement | null {
  if (!bar) return null;
  const anchors = ['all', opened].map((name) => bar.querySelector<HTMLElement>(`[data-anchor="${name}"]`));
  return anchors.findLast((one) => one && one.getClientRects().length > 0) ?? bar;
}

function foldedEntries({ status, controller }: Conversation, state: ConversationState | undefined) {
  return [
    { id: 'assign', label: t('panel.assign') },
    { id: 'control', label: t(controller === 'bot' ? 'panel.take_over_or_hand_over' : 'panel.hand_over') },
    { id: 'stage', label: t('panel.stage') },
    { id: 'snooze', label: t(state?.snoozed_until ? 'panel.snoozed' : 'panel.snooze') },
    status === 'closed' ? { id: 'reopen', label: t('panel.reopen') } : { id: 'close', label: t('panel.close') },
  ];
}
