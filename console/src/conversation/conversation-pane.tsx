import { type ReactNode, Suspense, useRef, useState } from 'react';
import composer from '../composer/composer.module.css';
import { Composer } from '../composer/composer.tsx';
import { useConversation, useRemovedContact } from '../live/conversations.ts';
import type { Membership } from '../live/membership.ts';
import { Failure } from '../live/request.ts';
import { lazyClosable, lazyPiece } from '../parts/lazy-piece.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useIsWide } from '../parts/use-is-wide.ts';
import { useSettled } from '../parts/use-settled.ts';
import { roomOfComposer, useRoomOfComposer } from './composer-room.ts';
import { ConversationHeader } from './conversation-header.tsx';
import styles from './conversation-pane.module.css';
import { Gone } from './gone.tsx';
import { openAhead } from './open-ahead.ts';
import { Thread } from './thread.tsx';
import { useInView } from './use-in-view.ts';
import { useWhole } from './use-whole.ts';

const ContactPanel = lazyClosable(async () => (await import('../contacts/contact-panel.tsx')).ContactPanel);

const ConversationGone = lazyPiece(async () => (await import('../contacts/contact-gone.tsx')).ConversationGone);

interface Props {
  membership: Membership;
  conversation_id: string;
}

// Where the address of the page names one, this code is loaded before the session is read.
openAhead(location);

/** An open conversation: its header, its thread, the composer, and the contact beside them. */
export function ConversationPane({ membership, conversation_id }: Props) {
  const { workspace_id } = membership;
  const state = useConversation(workspace_id, conversation_id);
  const removed_contact_id = useRemovedContact(conversation_id);
  const [isPanelOpen, setPanelOpen] = usePanelOpen();
  const place = useRef<HTMLElement>(null);
  // Before the first composer, nobody knows its height, and nobody has a conversation before eyes.
  const room = roomOfComposer(conversation_id);
  const { isWhole, onTexts } = useWhole(conversation_id, room === undefined);
  useRoomOfComposer(place, conversation_id, isWhole && state.data !== undefined);
  useInView(conversation_id);
  if (!state.data && removed_contact_id) {
    return (
      <Suspense>
        <ConversationGone membership={membership} contact_id={removed_contact_id} />
      </Suspense>
    );
  }
  const isGone = !state.data && state.error instanceof Failure && state.error.code === 'not_found';
  if (isGone) return <Gone workspace_id={workspace_id} />;
  return (
    <Loaded shape="thread" query={state}>
      {(conversation) => (
        <div className={styles.pane} data-panel={isPanelOpen || undefined}>
          <section ref={place} className={styles.conversation}>
            <ConversationHeader
              membership={membership}
              conversation={conversation}
              isWhole={isWhole}
              isPanelOpen={isPanelOpen}
              onTogglePanel={() => setPanelOpen(!isPanelOpen)}
            />
            <Thread membership={membership} conversation={conversation} isWhole={isWhole} onTexts={onTexts} />
            {isWhole ? (
              <Composer membership={membership} conversation={conversation} />
            ) : (
              <div className={composer.composer} style={{ blockSize: room }} aria-hidden>
                <div className={composer.tabs} />
              </div>
            )}
          </section>
          {isPanelOpen && (
            <PanelPlace isWhole={isWhole}>
              <ContactPanel membership={membership} conversation={conversation} onClose={() => setPanelOpen(false)} />
            </PanelPlace>
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Opened or closed for windows as wide as this one. In a narrow one the panel covers the conversation, so it is closed at first. */
function usePanelOpen() {
  const isWide = useIsWide();
  const [chosen, setChosen] = useState({ isWide, isOpen: isWide });
  const isOpen = chosen.isWide === isWide ? chosen.isOpen : isWide;
  return [isOpen, (next: boolean) => setChosen({ isWide, isOpen: next })] as const;
}

/** The panel comes behind the thread, which people read first. */
function PanelPlace({ isWhole, children }: { isWhole: boolean; children: ReactNode }) {
  if (!isWhole) return <div className={styles.panelPlace} />;
  return <LatePanel>{children}</LatePanel>;
}

function LatePanel({ children }: { children: ReactNode }) {
  const isSettled = useSettled();
  const place = (
    <div className={styles.panelPlace}>
      <Skeleton shape="panel" />
    </div>
  );
  return isSettled ? <Suspense fallback={place}>{children}</Suspense> : place;
}
