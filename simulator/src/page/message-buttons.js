import { call } from './api.js';
import { el } from './element.js';
import { icon } from './icon.js';
import { openList } from './list-dialog.js';
import { attempt, toast } from './toast.js';

/** The buttons below a bubble: a template's, reply buttons, or the button of a list. */
export function buttonsOf(message) {
  const { type, content, template } = message;
  if (message.direction === 'inbound') return undefined;
  const tap = (body) => attempt(() => call('POST', `messages/${encodeURIComponent(message.id)}/tap`, body));
  if (template?.buttons.length > 0) {
    return el(
      'div',
      { class: 'buttons' },
      ...template.buttons.map((button, index) => templateButton(button, tap({ index }))),
    );
  }
  if (type !== 'interactive') return undefined;
  const { buttons, sections, button: label } = content.action ?? {};
  if (sections)
    return el(
      'div',
      { class: 'buttons' },
      tapButton('list', label, () => openList(content.action, (id) => tap({ id })())),
    );
  return el(
    'div',
    { class: 'buttons' },
    ...(buttons ?? []).map(({ reply }) => tapButton('reply', reply.title, tap({ id: reply.id }))),
  );
}

function templateButton({ type, text, value }, tap) {
  if (type === 'URL') {
    const safe = /^https?:\/\//i.test(value) ? value : null;
    return el(
      'a',
      { class: 'tap', href: safe, title: value, target: '_blank', rel: 'noopener noreferrer' },
      icon('open'),
      el('bdi', {}, text),
    );
  }
  if (type === 'PHONE_NUMBER') return tapButton('phone', text, () => toast(`Calls ${value}`));
  if (type === 'COPY_CODE' || type === 'OTP') {
    return tapButton(
      'copy',
      text || 'Copy code',
      () => void navigator.clipboard.writeText(value).then(() => toast('Copied')),
    );
  }
  return tapButton('reply', text, tap);
}

function tapButton(sign, label, onclick) {
  return el('button', { type: 'button', class: 'tap', onclick }, icon(sign), el('bdi', {}, label));
}
