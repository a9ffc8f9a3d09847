import type { Conversation } from '@majlis/contract';
import { ArrowLeft, CircleCheck, Ellipsis, PanelRight, RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { useChannelName } from '../live/directory.ts';
import type { Membership } from '../live/membership.ts';
import { Button } from '../parts/button.tsx';
import { OneLine } from '../parts/one-line.tsx';
import { t } from '../words/words.ts';
import styles from './conversation-header.module.css';
import { reopen } from './header/actions.ts';
import { Controls } from './header/controls.tsx';
import type { Opened, Shown } from './header/opened.ts';
import { PhoneLink } from './header/phone-link.tsx';
import { Viewers } from './header/viewers.tsx';

interface Props {
  membership: Membership;
  conversation: Conversation;
  /** Without it, the chips are not drawn yet. */
  isWhole: boolean;
  isPanelOpen: boolean;
  onTogglePanel: () => void;
}

/** Whose conversation it is, who answers in it, and the actions on it. */
export function ConversationHeader({ membership, conversation, isWhole, isPanelOpen, onTogglePanel }: Props) {
  const [shown, show] = useState<Shown>();
  const bar = useRef<HTMLElement>(null);
  const open = (next: Opened) => show({ opened: next, anchor: { current: findAnchor(bar.current, next) } });
  const { workspace_id } = membership;
  const { id, contact_name, contact_handle, channel_id } = conversation;
  const channel = useChannelName(workspace_id, channel_id);
  const isClosed = conversation.status === 'closed';
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
          <Button onPress={() => (isClosed ? void reopen({ workspace_id, conversation }) : open('close'))}>
            {isClosed ? <RotateCcw size={16} data-directional aria-hidden /> : <CircleCheck size={16} aria-hidden />}
            {t(isClosed ? 'panel.reopen' : 'panel.close')}
          </Button>
        </span>
        <span className={styles.narrow} data-anchor="all">
          <Button
            look="quiet"
            aria-label={t('panel.actions')}
            aria-haspopup="menu"
            aria-expanded={shown?.opened === 'all'}
            onPress={() => open('all')}
          >
            <Ellipsis size={18} aria-hidden />
          </Button>
        </span>
        <Button look="quiet" aria-label={t('panel.toggle')} aria-expanded={isPanelOpen} onPress={onTogglePanel}>
          <PanelRight size={18} data-directional aria-hidden />
        </Button>
      </div>
      {isWhole ? (
        <Controls
          membership={membership}
          conversation={conversation}
          shown={shown}
          open={open}
          close={(closed) => show((now) => (now === closed ? undefined : now))}
          onTogglePanel={onTogglePanel}
        />
      ) : (
        <div className={styles.chipsPlace} />
      )}
    </header>
  );
}

/** The chip of the menu, or the one button of a narrow header. */
function findAnchor(bar: HTMLElement | null, opened: Opened): HTMLElement | null {
  if (!bar) return null;
  const anchors = ['all', opened].map((name) => bar.querySelector<HTMLElement>(`[data-anchor="${name}"]`));
  return anchors.findLast((one) => one && one.getClientRects().length > 0) ?? bar;
}
