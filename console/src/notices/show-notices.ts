import type { Notice } from '@majlis/console-api';
import { navigate } from 'wouter/use-browser-location';
import { openConversation } from '../app/open-conversation.ts';
import { tellNotice } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { previewText } from '../words/preview-text.ts';
import { currentLanguage, t } from '../words/words.ts';
import type { Notices } from './notices.ts';
import { playSound } from './play-sound.ts';

// More at once are one notification that counts them.
const mostSingle = 3;

interface Shown {
  conversation_id: string | undefined;
  close(): void;
}

const shown = new Set<Shown>();

export function showNotices(workspace_id: string, { data, sound, desktop }: Notices): void {
  const isDesktop = desktop && 'Notification' in window && Notification.permission === 'granted';
  const tell = isDesktop ? tellOnDesktop : tellOnPage;
  if (data.length <= mostSingle) for (const notice of data) tell(compose(workspace_id, notice));
  else tell(composeCount(workspace_id, data));
  if (sound) playSound();
}

/** The person has read the conversation, or may not see it any more, as after an erasure. */
export function withdraw(conversation_id: string): void {
  for (const one of shown) if (one.conversation_id === conversation_id) one.close();
}

export function withdrawAll(): void {
  for (const one of shown) one.close();
}

interface Composed {
  id: string;
  conversation_id: string | undefined;
  title: string;
  text: string;
  open: () => void;
}

function compose(workspace_id: string, notice: Notice): Composed {
  const { kind, conversation_id, message_id, contact_name, contact_handle, author_name, message_kind } = notice;
  const name = contact_name ?? (contact_handle ? `\u2066${contact_handle}\u2069` : t('inbox.unnamed'));
  const said = previewText({ ...notice, kind: message_kind ?? '' });
  const by = author_name ?? t('inbox.colleague');
  return {
    id: message_id ?? conversation_id,
    conversation_id,
    title: kind === 'mention' ? t('notice.mention', { name: isolated(by) }) : name,
    text: kind === 'handover' ? t('notice.handover') : said,
    open: () => openConversation(workspace_id, conversation_id),
  };
}

function composeCount(workspace_id: string, data: readonly Notice[]): Composed {
  return {
    id: data.at(-1)!.message_id ?? data.at(-1)!.conversation_id,
    conversation_id: undefined,
    title: t('notice.many', { count: data.length }),
    text: t('notice.many_in', { count: new Set(data.map(({ conversation_id }) => conversation_id)).size }),
    open: () => navigate(`/w/${workspace_id}/inbox`),
  };
}

function tellOnDesktop({ id, conversation_id, title, text, open }: Composed): void {
  const dir = currentLanguage() === 'ar' ? 'rtl' : 'ltr';
  let notification: Notification;
  try {
    notification = new Notification(title, {
      body: text,
      tag: id,
      icon: '/assets/icon.svg',
      lang: currentLanguage(),
      dir,
    });
  } catch {
    // Chrome on Android has notifications of service workers alone.
    tellOnPage({ id, conversation_id, title, text, open });
    return;
  }
  const one: Shown = { conversation_id, close: () => notification.close() };
  shown.add(one);
  notification.addEventListener('close', () => shown.delete(one));
  notification.addEventListener('click', () => {
    window.focus();
    open();
    notification.close();
  });
}

function tellOnPage({ conversation_id, title, text, open }: Composed): void {
  // In a hidden tab the title counts, and a toast would come late.
  if (document.visibilityState !== 'visible') return;
  const one: Shown = {
    conversation_id,
    close: tellNotice({ title, text, open, onClose: () => shown.delete(one) }),
  };
  shown.add(one);
}
