import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toOutboundMessage } from './to-outbound-message.ts';

const stored = {
  ...{ kind: 'text', body: 'Hi', filename: null, mime: null, content: null },
  ...{ recipient: '+96891234567', quoted_platform_id: null },
};
const common = { recipient: '+96891234567', callback_data: 'msg_1' };

describe('toOutboundMessage', () => {
  it('is the text where nothing but text is stored', () => {
    assert.deepEqual(toOutboundMessage(stored, 'msg_1'), { kind: 'text', body: 'Hi', ...common });
    assert.deepEqual(toOutboundMessage({ ...stored, body: null }, 'msg_1'), { kind: 'text', body: '', ...common });
  });

  it('is the stored content, and not the text that a person reads of it', () => {
    const content = { kind: 'location' as const, latitude: 1, longitude: 2 };
    const message = { ...stored, kind: 'location', body: '1,2', content };
    assert.deepEqual(toOutboundMessage(message, 'msg_1'), { ...content, ...common });
  });

  it('quotes', () => {
    const { quoted_platform_id } = toOutboundMessage({ ...stored, quoted_platform_id: 'wamid.1' }, 'msg_1');
    assert.equal(quoted_platform_id, 'wamid.1');
  });

  it('reacts to what it quotes, and quotes nothing beside that', () => {
    const reaction = { ...stored, kind: 'reaction', body: '👍', quoted_platform_id: 'wamid.1' };
    const expected = { kind: 'reaction', emoji: '👍', target_platform_id: 'wamid.1', ...common };
    assert.deepEqual(toOutboundMessage(reaction, 'msg_1'), expected);
    assert.deepEqual(toOutboundMessage({ ...reaction, body: null }, 'msg_1'), { ...expected, emoji: '' });
  });

  it('is the file as the platform knows it, with the caption and the name that its kind can have', () => {
    const media = { platform_media_id: '79' };
    const file = { ...stored, body: 'Your invoice', filename: 'a.pdf', mime: 'application/pdf' };
    const named = { ...media, caption: 'Your invoice' };
    assert.deepEqual(toOutboundMessage({ ...file, kind: 'image' }, 'msg_1', media), {
      kind: 'image',
      ...named,
      ...common,
    });
    assert.deepEqual(toOutboundMessage({ ...file, kind: 'file' }, 'msg_1', media), {
      ...{ kind: 'file', ...named, filename: 'a.pdf' },
      ...common,
    });
    const voice = { ...file, kind: 'voice', mime: 'audio/mpeg' };
    assert.deepEqual(toOutboundMessage(voice, 'msg_1', media), {
      kind: 'voice',
      ...media,
      mime: 'audio/mpeg',
      ...common,
    });
    const link = { link: 'https://chat.example/a' };
    assert.deepEqual(toOutboundMessage({ ...stored, kind: 'file', body: null }, 'msg_1', link), {
      ...{ kind: 'file', ...link },
      ...common,
    });
  });

  it('puts the file of a template into its header, as what the template has there', () => {
    const media = { platform_media_id: '79' };
    const content = { kind: 'template' as const, name: 'sale', language: 'en', body: ['5'] };
    for (const [media_header, header] of [
      ['image', { type: 'image', ...media }],
      ['video', { type: 'video', ...media }],
      ['document', { type: 'document', ...media, filename: 'a.png' }],
    ] as const) {
      const template = { ...stored, kind: 'template', content: { ...content, media_header }, filename: 'a.png' };
      const expected = { ...content, media_header, header, ...common };
      assert.deepEqual(toOutboundMessage({ ...template, mime: 'image/png' }, 'msg_1', media), expected);
    }
  });
});
