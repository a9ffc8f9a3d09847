import type { DraftKind } from '@majlis/console-api';
import type { Conversation, ConversationMessageSend } from '@majlis/contract';
import { useEffect, useRef } from 'react';
import type { Membership } from '../live/membership.ts';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import { type Attachment, attachmentsOf, kindOf, putBack, takeAttachments } from './attachments.ts';
import { openDraft } from './drafts.ts';
import { gateChanged } from './gate.ts';
import { type Send, send } from './outbox.ts';
import { announcePresence, type OwnPresence } from './presence.ts';
import { quotedStore } from './quoted.ts';
import { forgetSeenReply, seenReplyOf } from './seen-replies.ts';

type Content = ConversationMessageSend;

/** Sends from the composer of one conversation. What is read here belongs to the moment of the press. */
export function createWriting({ workspace_id, user_id }: Membership, { id: conversation_id }: Conversation) {
  function start(mode: DraftKind): Omit<Send, 'content' | 'isFromDraft'> {
    const seen_reply_id = seenReplyOf(conversation_id);
    const onRefused = () => gateChanged(conversation_id);
    return {
      workspace_id,
      conversation_id,
      user_id,
      mode,
      ...(seen_reply_id !== undefined && { seen_reply_id }),
      onRefused,
    };
  }

  function takeQuoted(): { reply_to_id?: string } {
    const quoted = quotedStore.get();
    if (quoted?.conversation_id !== conversation_id) return {};
    quotedStore.set(undefined);
    return { reply_to_id: quoted.id };
  }

  /** Sends what stands in the composer. An empty one sends nothing, so a second Enter does nothing. */
  function sendWritten(mode: DraftKind) {
    const draft = openDraft({ workspace_id, conversation_id, kind: mode });
    const { text, other } = draft.store.get();
    const files = mode === 'reply' ? attachmentsOf(conversation_id) : [];
    if (files.some(({ state }) => state === 'uploading')) return tell(t('composer.wait_uploads'), 'danger');
    if (files.some(({ state }) => state !== 'ready')) return tell(t('composer.remove_failed'), 'danger');
    if (other !== undefined || (text.trim() === '' && files.length === 0)) return;
    const hasText = text.trim() !== '';
    // A voice message has no caption, so the text goes by itself.
    const captioned = hasText ? files.findIndex((file) => kindOf(file) !== 'voice') : -1;
    const quoted = mode === 'reply' ? takeQuoted() : {};
    if (hasText) draft.take();
    if (hasText && captioned < 0) {
      send({ ...start(mode), content: { kind: 'text', body: text, ...quoted }, isFromDraft: true });
    }
    if (files.length === 0) return;
    takeAttachments(conversation_id);
    for (const [index, file] of files.entries()) {
      const isCaptioned = index === captioned;
      sendFile(file, {
        ...(isCaptioned && { body: text }),
        ...(index === 0 && (!hasText || captioned >= 0) && quoted),
      });
    }
  }

  function sendFile(file: Attachment, more: { body?: string; reply_to_id?: string }): void {
    const content: Content = { kind: kindOf(file), media_id: file.media!.id, ...more };
    const begun = start('reply');
    send({
      ...begun,
      content,
      filename: file.file.name,
      isFromDraft: more.body !== undefined,
      onRefused(failure) {
        putBack(conversation_id, file);
        begun.onRefused?.(failure);
      },
    });
  }

  /**
   * Sends what has no draft: a template, a location, a message with choices. `shown` is what its bubble reads; a refused one is
   * given back to the panel that it came from.
   */
  function sendContent(content: Content, shown: string, giveBack: () => void): void {
    const isQuoting = content.kind !== 'template';
    const begun = start('reply');
    send({
      ...begun,
      content: { ...content, ...(isQuoting && takeQuoted()) },
      shown,
      isFromDraft: false,
      onRefused(failure) {
        giveBack();
        begun.onRefused?.(failure);
      },
    });
  }

  return { sendWritten, sendContent };
}

export type Writing = ReturnType<typeof createWriting>;

/** While the composer is shown, colleagues see that the person is there. */
export function usePresence(workspace_id: string, conversation_id: string) {
  const presence = useRef<OwnPresence>(undefined);
  useEffect(() => {
    const own = announcePresence(workspace_id, conversation_id);
    presence.current = own;
    return () => {
      own.leave();
      forgetSeenReply(conversation_id);
    };
  }, [workspace_id, conversation_id]);
  return presence;
}
