import type { Conversation } from '@majlis/contract';
import { File as FileIcon, Mic, RotateCw, X } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import styles from './attachment-strip.module.css';
import { type Attachment, kindOf, removeAttachment, upload, useAttachments } from './attachments.ts';

interface Props {
  workspace_id: string;
  conversation: Conversation;
}

/** The files of the next reply, with the state of their upload. */
export function AttachmentStrip({ workspace_id, conversation }: Props) {
  const attachments = useAttachments(conversation.id);
  const target = { workspace_id, conversation_id: conversation.id };
  return (
    <ul className={styles.strip} aria-label={t('composer.attachments')}>
      {attachments.map((attachment) => {
        const { id, file, state, media, isRecorded } = attachment;
        const name = isRecorded ? t('composer.voice_name') : isolated(file.name);
        return (
          <li key={id} className={styles.item} data-state={state}>
            <Picture attachment={attachment} />
            <div className={styles.text}>
              {isRecorded ? <span>{t('composer.voice_name')}</span> : <bdi>{file.name}</bdi>}
              <small>
                {stateOf(attachment)} · <bdi>{sizeOf(file.size)}</bdi>
              </small>
              {media && kindOf(attachment) === 'voice' && (
                // biome-ignore lint/a11y/useMediaCaption: nobody has written down what was said a moment ago
                <audio
                  controls
                  aria-label={t('composer.voice_listen')}
                  src={`/console/v1/workspaces/${workspace_id}/media/${media.id}`}
                />
              )}
            </div>
            {state === 'uploading' && (
              <progress max={1} value={attachment.progress} aria-label={name} className={styles.progress} />
            )}
            {state === 'failed' && (
              <Button
                look="quiet"
                aria-label={t('composer.attachment_retry', { name })}
                onPress={() => upload(target, id)}
              >
                <RotateCw size={16} aria-hidden />
              </Button>
            )}
            <Button
              look="quiet"
              aria-label={t(
                state === 'uploading' || state === 'waiting'
                  ? 'composer.attachment_cancel'
                  : 'composer.attachment_remove',
                {
                  name,
                },
              )}
              onPress={() => removeAttachment(conversation.id, id)}
            >
              <X size={16} aria-hidden />
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function Picture({ attachment: { preview, isRecorded } }: { attachment: Attachment }) {
  if (preview) return <img className={styles.picture} src={preview} alt="" />;
  return (
    <span className={styles.picture} aria-hidden>
      {isRecorded ? <Mic size={18} /> : <FileIcon size={18} />}
    </span>
  );
}

function stateOf({ state, progress, refusal, failure }: Attachment): string {
  if (refusal?.type === 'too_large') return t('composer.attachment_too_large', { limit: refusal.limit_mb });
  if (refusal?.type === 'empty') return t('composer.attachment_empty');
  if (state === 'waiting') return t('composer.attachment_waiting');
  if (state === 'uploading') return t('composer.attachment_uploading', { percent: Math.round(progress * 100) });
  if (state === 'failed') return failure?.sentence ?? t('composer.attachment_failed');
  return t('composer.attachment_ready');
}

/** `48 kB`, in Latin letters in both languages. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
