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
  return el('div', { class: 'buttons' }, ...interactiveButtons(content, tap));
}

function interactiveButtons({ type, action = {} }, tap) {
  const { buttons = [], button, parameters } = action;
  switch (type) {
    case 'list':
      return [tapButton('list', button, () => openList(action, (id) => tap({ id })()))];
    case 'cta_url':
      return [linkButton(parameters.display_text, parameters.url)];
    case 'flow':
      return [tapButton('file', parameters.flow_cta, tap({}))];
    case 'location_request_message':
      return [tapButton('pin', 'Send location', tap({}))];
    case 'request_contact_info':
      return [tapButton('phone', 'Share phone number', tap({}))];
    default:
      return buttons.map(({ reply }) => tapButton('reply', reply.title, tap({ id: reply.id })));
  }
}

function templateButton({ type, text, value }, tap) {
  if (type === 'URL') return linkButton(text, value);
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

function linkButton(text, url) {
  const safe = /^https?:\/\//i.test(url) ? url : null;
  return el(
    'a',
    { class: 'tap', href: safe, title: url, target: '_blank', rel: 'noopener noreferrer' },
    icon('open'),
    el('bdi', {}, text),
  );
}

function tapButton(sign, label, onclick) {
  // A business without a label for its list sends the sign of a list, which is the icon already.
  const text = label === '☰' ? el('bdi', { class: 'unseen' }, 'Choose') : el('bdi', {}, label);
  return el('button', { type: 'button', class: 'tap', onclick }, icon(sign), text);
}
