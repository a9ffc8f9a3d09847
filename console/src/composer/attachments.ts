import type { Media, SendableKind } from '@majlis/contract';
import { limits } from '@majlis/contract/limits';
import { listenToChanges } from '../live/changes.ts';
import { createStore } from '../live/create-store.ts';
import { onPersonLeft } from '../live/person-left.ts';
import { Failure } from '../live/request.ts';
import { loadSession, sessionStore } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { tellDropped } from './tell-dropped.ts';
import { type Upload, uploadFile } from './upload.ts';

/** A file that goes with the next reply of a conversation. */
export interface Attachment {
  id: number;
  file: File;
  /** For a picture: its address in this tab. */
  preview?: string;
  /** The part that is uploaded, from 0 to 1. */
  progress: number;
  /** `waiting`: for a place among the uploads. */
  state: 'waiting' | 'uploading' | 'ready' | 'failed' | 'refused';
  failure?: Failure;
  refusal?: { type: 'too_large'; limit_mb: number } | { type: 'empty' };
  media?: Media;
  isRecorded: boolean;
}

/** By conversation, so that a switch while a file uploads changes no recipient. */
const store = createStore<ReadonlyMap<string, readonly Attachment[]>>(new Map());
/** A browser opens six connections to a service of HTTP/1.1, one of them for the live stream. The others answer clicks. */
const mostUploads = 2;
const uploads = new Map<number, Upload>();
/** Those that wait for a place, in order. */
const waiting: { target: Target; id: number }[] = [];
let count = 0;

const none: readonly Attachment[] = [];

export function attachmentsOf(conversation_id: string): readonly Attachment[] {
  return store.get().get(conversation_id) ?? none;
}

export function useAttachments(conversation_id: string): readonly Attachment[] {
  return useStore(store).get(conversation_id) ?? none;
}

interface Target {
  workspace_id: string;
  conversation_id: string;
}

export function attachFiles(target: Target, files: readonly File[], { isRecorded = false } = {}): void {
  const added = files.map((file) => toAttachment(file, isRecorded));
  set(target.conversation_id, [...attachmentsOf(target.conversation_id), ...added]);
  for (const { id, state } of added) if (state === 'waiting') upload(target, id);
}

function toAttachment(file: File, isRecorded: boolean): Attachment {
  count += 1;
  const limit = limitOf(file.type);
  const refusal =
    file.size === 0
      ? { type: 'empty' as const }
      : file.size > limit
        ? { type: 'too_large' as const, limit_mb: Math.floor(limit / 1_048_576) }
        : undefined;
  return {
    id: count,
    file,
    ...(/^image\/(png|jpeg|gif|webp)$/.test(file.type) && { preview: URL.createObjectURL(file) }),
    progress: 0,
    state: refusal ? 'refused' : 'waiting',
    ...(refusal && { refusal }),
    isRecorded,
  };
}

function limitOf(mime: string): number {
  const family = mime.split('/')[0];
  const isMedia = family === 'image' || family === 'video' || family === 'audio';
  return limits.media_bytes[isMedia ? family : 'document'];
}

export function upload(target: Target, id: number): void {
  change(target.conversation_id, id, { state: 'waiting', progress: 0 });
  waiting.push({ target, id });
  startUploads();
}

function startUploads(): void {
  while (uploads.size < mostUploads) {
    const next = waiting.shift();
    if (!next) return;
    void perform(next.target, next.id);
  }
}

async function perform({ conversation_id, workspace_id }: Target, id: number): Promise<void> {
  const attachment = attachmentsOf(conversation_id).find((known) => known.id === id);
  if (!attachment) return;
  change(conversation_id, id, { state: 'uploading' });
  const running = uploadFile(workspace_id, attachment.file, (progress) => change(conversation_id, id, { progress }));
  uploads.set(id, running);
  try {
    const media = await running.done;
    change(conversation_id, id, { media, state: 'ready', progress: 1 });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    change(conversation_id, id, { state: 'failed', failure: error });
    if (error.code === 'signed_out') uploadOnceSignedIn({ conversation_id, workspace_id }, id);
  } finally {
    uploads.delete(id);
    startUploads();
  }
}

/** The session has ended under the upload, which the page may not know yet. */
function uploadOnceSignedIn(target: Target, id: number): void {
  const end = sessionStore.subscribe(() => {
    if (sessionStore.get().type !== 'signed_in') return;
    end();
    const stopped = attachmentsOf(target.conversation_id).find((one) => one.id === id);
    if (stopped?.state === 'failed') upload(target, id);
  });
  void loadSession();
}

/** Takes a file back. An upload under way is cancelled. */
export function removeAttachment(conversation_id: string, id: number): void {
  const left = attachmentsOf(conversation_id).filter((attachment) => {
    if (attachment.id !== id) return true;
    discard(attachment);
    return false;
  });
  set(conversation_id, left);
  uploads.get(id)?.cancel();
}

/** Takes the uploaded files for a send. */
export function takeAttachments(conversation_id: string): readonly Attachment[] {
  const taken = attachmentsOf(conversation_id);
  set(conversation_id, []);
  return taken;
}

/** The send was refused: the file waits for another one. What the service has deleted meanwhile is uploaded again. */
export function putBack(conversation_id: string, attachment: Attachment, failure?: Failure): void {
  const isGone = failure?.code === 'media_not_found';
  const kept = isGone ? { ...attachment, state: 'failed' as const, failure } : attachment;
  set(conversation_id, [...attachmentsOf(conversation_id), kept]);
}

const voiceTypes = ['audio/ogg; codecs=opus', 'audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr'];

/** How the file is sent, by the type that the service found in its bytes. */
export function kindOf({ media }: Attachment): SendableKind {
  const mime = media?.mime ?? '';
  if (mime === 'image/jpeg' || mime === 'image/png') return 'image';
  if (mime === 'video/mp4' || mime === 'video/3gpp') return 'video';
  return voiceTypes.includes(mime) ? 'voice' : 'file';
}

function discard({ preview }: Attachment): void {
  if (preview) URL.revokeObjectURL(preview);
}

function change(conversation_id: string, id: number, next: Partial<Attachment>): void {
  const attachments = attachmentsOf(conversation_id);
  if (!attachments.some((attachment) => attachment.id === id)) return;
  set(
    conversation_id,
    attachments.map((attachment) => (attachment.id === id ? { ...attachment, ...next } : attachment)),
  );
}

function set(conversation_id: string, attachments: readonly Attachment[]): void {
  const next = new Map(store.get());
  if (attachments.length > 0) next.set(conversation_id, attachments);
  else next.delete(conversation_id);
  store.set(next);
}

function forget(conversation_id: string): void {
  for (const attachment of takeAttachments(conversation_id)) {
    uploads.get(attachment.id)?.cancel();
    discard(attachment);
  }
}

listenToChanges({
  onChange(change) {
    if (change.kind !== 'removed' || attachmentsOf(change.conversation_id).length === 0) return;
    forget(change.conversation_id);
    tellDropped();
  },
});
onPersonLeft(() => {
  for (const conversation_id of store.get().keys()) forget(conversation_id);
});
