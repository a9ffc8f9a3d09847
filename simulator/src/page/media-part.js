import { call } from './api.js';
import { withToken } from './control-token.js';
import { el } from './element.js';
import { icon } from './icon.js';

/** An image, video, sound, sticker or file. A business' link is named, never loaded. */
export function mediaPart(message, kind) {
  const { media, content } = message;
  if (kind === 'location') return el('p', { class: 'text' }, icon('pin'), ' Location');
  if (media?.link) return fileCard('link', content.filename ?? media.link, `${kind} by link`, media.link);
  if (!media) return el('p', { class: 'text muted' }, `[${kind} no longer kept]`);
  const src = withToken(`control/media/${media.id}`);
  if (kind === 'image' && media.mime_type.startsWith('image/')) return picture(src, content.caption);
  if (kind === 'sticker') return el('img', { class: 'sticker', src, alt: 'Sticker' });
  if (kind === 'video' && media.mime_type.startsWith('video/'))
    return el('video', { src, controls: true, preload: 'metadata' });
  if (kind === 'audio' && media.mime_type.startsWith('audio/')) {
    const played = () => void call('POST', `messages/${encodeURIComponent(message.id)}/status`, { status: 'played' });
    const tell = message.direction === 'outbound' && content.voice === true && message.status !== 'played';
    return el('audio', { src, controls: true, preload: 'metadata', onplay: tell ? played : null });
  }
  return fileCard(
    'file',
    content.filename ?? media.filename ?? 'file',
    `${media.mime_type} · ${sizeText(media.size)}`,
    src,
  );
}

function picture(src, caption) {
  return el(
    'a',
    { class: 'picture', href: src, target: '_blank', rel: 'noopener' },
    el('img', { src, alt: caption ?? 'Picture', loading: 'lazy' }),
  );
}

function fileCard(sign, name, about, href) {
  return el(
    'a',
    { class: 'file', href, target: '_blank', rel: 'noopener noreferrer' },
    el('span', { class: 'file-sign' }, icon(sign)),
    el('span', {}, el('strong', { dir: 'auto' }, name), el('small', {}, about)),
  );
}

function sizeText(bytes) {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
