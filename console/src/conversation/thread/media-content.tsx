import type { ThreadMessage } from '@majlis/console-api';
import { Download, FileText, FileX } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyClosable } from '../../parts/lazy-piece.ts';
import { t } from '../../words/words.ts';
import { isShownType, mediaAddress, sizeInWords } from './media-address.ts';
import styles from './media-content.module.css';
import { nameOfKindOfMessage } from './people.ts';
import { VoicePlayer } from './voice-player.tsx';

const Lightbox = lazyClosable(async () => (await import('./lightbox.tsx')).Lightbox);

interface Props {
  workspace_id: string;
  message: ThreadMessage;
  sender: string;
}

/** The file of a message: an image to open, a video or voice message to play, or anything else to download. */
export function MediaContent({ workspace_id, message, sender }: Props) {
  const { kind, media_id, mime } = message;
  if (!media_id) return <MissingFile />;
  const address = mediaAddress(workspace_id, media_id);
  if (kind === 'image' && isShownType(mime)) return <ImageFile address={address} message={message} sender={sender} />;
  if (kind === 'video' && isShownType(mime)) {
    // biome-ignore lint/a11y/useMediaCaption: customers send no captions.
    return <video className={styles.video} src={address} controls preload="metadata" aria-label={t('thread.video')} />;
  }
  if (kind === 'voice') return <VoicePlayer address={address} />;
  return <OtherFile address={address} message={message} />;
}

function ImageFile({ address, message, sender }: { address: string; message: ThreadMessage; sender: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <MissingFile />;
  const label = t('thread.image_of', { name: sender });
  return (
    <>
      <button type="button" className={styles.image} aria-label={t('thread.image_open')} onClick={() => setOpen(true)}>
        <img src={address} alt={label} loading="lazy" decoding="async" onError={() => setBroken(true)} />
      </button>
      {isOpen && (
        <Suspense>
          <Lightbox address={address} label={label} filename={message.filename} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function OtherFile({ address, message }: { address: string; message: ThreadMessage }) {
  const { kind, filename, size_bytes } = message;
  return (
    <a className={styles.file} href={address} download={filename ?? ''}>
      <FileText size={22} aria-hidden />
      <span className={styles.name}>
        <bdi>{filename ?? nameOfKindOfMessage(kind)}</bdi>
        {size_bytes !== undefined && <small dir="ltr">{sizeInWords(size_bytes)}</small>}
      </span>
      <Download size={16} role="img" aria-label={t('thread.download')} />
    </a>
  );
}

function MissingFile() {
  return (
    <span className={styles.missing}>
      <FileX size={18} aria-hidden />
      {t('thread.media_missing')}
    </span>
  );
}
