import type { DraftKind, ScheduledMessage, ThreadMessage } from '@majlis/console-api';
import type { Conversation, ConversationMessageSend } from '@majlis/contract';
import { useEffect, useRef } from 'react';
import { cancelScheduled } from '../conversation/scheduled/scheduled-actions.ts';
import type { Membership } from '../live/membership.ts';
import { Failure } from '../live/request.ts';
import { tell, tellUndoable } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { type Attachment, attachmentsOf, kindOf, putBack, takeAttachments } from './attachments.ts';
import { type OpenDraft, openDraft } from './drafts.ts';
import { gateChanged } from './gate.ts';
import type { LaterMoment } from './later/later-props.ts';
import { schedule } from './later/schedule.ts';
import { type Send, send, tellRefusal } from './outbox.ts';
import { announcePresence, type OwnPresence } from './presence.ts';
import { giveBackQuoted, quotedStore } from './quoted.ts';
import { forgetSeenReply, seenReplyOf } from './seen-replies.ts';

type Content = ConversationMessageSend;

interface Written {
  draft: OpenDraft;
  text: string;
  hasText: boolean;
  files: readonly Attachment[];
}

interface Part {
  content: Content;
  file?: Attachment;
}

function quoting(message: ThreadMessage | undefined): Pick<Content, 'reply_to_id'> {
  return message ? { reply_to_id: message.id } : {};
}

/** Sends from the composer of one conversation. What is read here belongs to the moment of the press. */
export function createWriting({ workspace_id, user_id }: Membership, { id: conversation_id }: Conversation) {
  function start(mode: DraftKind, quoted: ThreadMessage | undefined): Omit<Send, 'content' | 'isFromDraft'> {
    const seen_reply_id = seenReplyOf(conversation_id);
    const onRefused = () => {
      giveBackQuoted(quoted);
      gateChanged(conversation_id);
    };
    return {
      workspace_id,
      conversation_id,
      user_id,
      mode,
      ...(seen_reply_id !== undefined && { seen_reply_id }),
      onRefused,
    };
  }

  function takeQuoted(): ThreadMessage | undefined {
    const quoted = quotedStore.get();
    if (quoted?.conversation_id !== conversation_id) return undefined;
    quotedStore.set(undefined);
    return quoted;
  }

  /** What stands in the composer. Undefined where there is nothing to send, or not yet. */
  function readWritten(mode: DraftKind): Written | undefined {
    const draft = openDraft({ workspace_id, conversation_id, kind: mode });
    const { text, other } = draft.store.get();
    const files = mode === 'reply' ? attachmentsOf(conversation_id) : [];
    const isWaiting = files.some(({ state }) => state === 'waiting' || state === 'uploading');
    if (isWaiting || files.some(({ state }) => state !== 'ready')) {
      tell(t(isWaiting ? 'composer.wait_uploads' : 'composer.remove_failed'), 'danger');
      return undefined;
    }
    const hasText = text.trim() !== '';
    if (other !== undefined || (!hasText && files.length === 0)) return undefined;
    return { draft, text, hasText, files };
  }

  /** The messages that it makes. The text is the caption of a file, the first part of all, or alone. */
  function partsOf({ text, hasText, files }: Written, message: ThreadMessage | undefined): Part[] {
    const quoted = quoting(message);
    // A voice message has no caption, so the text goes by itself.
    const captioned = hasText ? files.findIndex((file) => kindOf(file) !== 'voice') : -1;
    const isAlone = hasText && captioned < 0;
    return [
      ...(isAlone ? [{ content: { kind: 'text' as const, body: text, ...quoted } }] : []),
      ...files.map((file, index) => {
        const body = index === captioned && { body: text };
        return {
          file,
          content: { kind: kindOf(file), media_id: file.media!.id, ...body, ...(index === 0 && !isAlone && quoted) },
        };
      }),
    ];
  }

  /** Sends what stands in the composer. An empty one sends nothing, so a second Enter does nothing. */
  function sendWritten(mode: DraftKind) {
    const written = readWritten(mode);
    if (!written) return;
    const quoted = mode === 'reply' ? takeQuoted() : undefined;
    const parts = partsOf(written, quoted);
    if (written.hasText) written.draft.take();
    if (written.files.length > 0) takeAttachments(conversation_id);
    for (const { content, file } of parts) {
      const begun = start(mode, content.reply_to_id === undefined ? undefined : quoted);
      if (file) sendFile(begun, file, content);
      else send({ ...begun, content, isFromDraft: true });
    }
  }

  function sendFile(begun: ReturnType<typeof start>, file: Attachment, content: Content): void {
    send({
      ...begun,
      content,
      filename: file.file.name,
      isFromDraft: content.body !== undefined,
      onRefused(failure) {
        putBack(conversation_id, file, failure);
        begun.onRefused?.(failure);
      },
    });
  }

  /** Schedules what stands in the composer. What is refused stands in it again. */
  async function scheduleWritten(moment: LaterMoment): Promise<void> {
    const written = readWritten('reply');
    if (!written) return;
    const { draft, text, hasText, files } = written;
    const quoted = takeQuoted();
    const parts = partsOf(written, quoted);
    if (hasText) draft.take();
    if (files.length > 0) takeAttachments(conversation_id);
    const made: ScheduledMessage[] = [];
    let isTextMade = false;
    try {
      const version = hasText ? await draft.pin(text) : undefined;
      for (const { content } of parts) {
        made.push(await schedule({ workspace_id, conversation_id }, content, moment.at));
        isTextMade ||= content.body !== undefined;
      }
      if (hasText) await draft.discard(version);
    } catch (error) {
      if (hasText) draft.giveBack(isTextMade ? '' : text);
      const failure = error instanceof Failure ? error : undefined;
      for (const { file } of parts.slice(made.length)) if (file) putBack(conversation_id, file, failure);
      if (made.length === 0) giveBackQuoted(quoted);
      refuse(error);
    }
    tellScheduled(made, moment);
  }

  /** Schedules what has no draft. A refused one is given back to the panel that it came from. */
  async function scheduleContent(content: Content, moment: LaterMoment, giveBack: () => void): Promise<void> {
    const quoted = content.kind === 'template' ? undefined : takeQuoted();
    try {
      const made = await schedule({ workspace_id, conversation_id }, { ...content, ...quoting(quoted) }, moment.at);
      tellScheduled([made], moment);
    } catch (error) {
      giveBack();
      giveBackQuoted(quoted);
      refuse(error);
    }
  }

  function tellScheduled(made: readonly ScheduledMessage[], { shown }: LaterMoment): void {
    if (made.length === 0) return;
    const said = t('scheduled.made', { time: isolated(shown) });
    tellUndoable(said, () => void cancelScheduled(workspace_id, ...made));
  }

  function refuse(error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    tellRefusal(conversation_id, error);
  }

  /**
   * Sends what has no draft: a template, a location, a message with choices. `shown` is what its bubble reads; a refused one is
   * given back to the panel that it came from.
   */
  function sendContent(content: Content, shown: string, giveBack: () => void): void {
    const quoted = content.kind === 'template' ? undefined : takeQuoted();
    const begun = start('reply', quoted);
    send({
      ...begun,
      content: { ...content, ...quoting(quoted) },
      shown,
      isFromDraft: false,
      onRefused(failure) {
        giveBack();
        begun.onRefused?.(failure);
      },
    });
  }

  return { sendWritten, sendContent, scheduleWritten, scheduleContent };
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
