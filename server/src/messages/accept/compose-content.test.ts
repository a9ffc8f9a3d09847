import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConversationMessageSend, TemplateComponent } from '@majlis/contract';
import { Refusal } from '../../http/reply/refusal.ts';
import { composeContent, refuseContent } from './compose-content.ts';
import type { SendTarget } from './find-targets.ts';

const pointerOf = (send: ConversationMessageSend) => refuseContent(send)?.extra.errors?.[0]?.pointer;

describe('refuseContent', () => {
  const cases: [ConversationMessageSend, string | undefined][] = [
    [{ kind: 'text' }, '/body'],
    [{ kind: 'text', body: '' }, '/body'],
    [{ kind: 'text', body: ' ' }, undefined],
    [{ kind: 'voice' }, '/media_id'],
    [{ kind: 'voice', media_id: 'med_1', body: 'Hi' }, '/body'],
    [{ kind: 'file', media_id: '' }, undefined],
    [{ kind: 'template' }, '/template'],
    [{ kind: 'template', template: { language: 'en' } }, '/template/name'],
    [{ kind: 'template', template: { name: 'a' } }, '/template/language'],
    [{ kind: 'template', template: { name: 'a', language: 'en' } }, undefined],
    [{ kind: 'template', template: { name: 'a', language: 'en' }, body: 'Hi' }, '/body'],
    [{ kind: 'location' }, '/location'],
    [{ kind: 'location', location: { longitude: 0 } }, '/location/latitude'],
    [{ kind: 'location', location: { latitude: 0 } }, '/location/longitude'],
    [{ kind: 'location', location: { latitude: 0, longitude: 0 } }, undefined],
    [{ kind: 'location', location: { latitude: 0, longitude: 0 }, body: 'Here' }, '/body'],
    [{ kind: 'location', location: { latitude: 0, longitude: 0 }, body: '' }, undefined],
    [{ kind: 'interactive' }, '/interactive'],
    [{ kind: 'interactive', interactive: {} }, '/interactive/type'],
    [{ kind: 'interactive', interactive: { type: 'list' } }, '/interactive/buttons'],
    [{ kind: 'interactive', interactive: { type: 'list', buttons: [] } }, '/body'],
    [{ kind: 'reaction', reply_to_id: 'msg_1' }, '/body'],
    [{ kind: 'reaction', body: '' }, '/reply_to_id'],
    [{ kind: 'reaction', body: '', reply_to_id: 'msg_1' }, undefined],
  ];
  for (const [send, pointer] of cases) {
    it(`${JSON.stringify(send)}: ${pointer ?? 'whole'}`, () => assert.equal(pointerOf(send), pointer));
  }

  it('leaves what another kind needs unread', () => {
    assert.equal(pointerOf({ kind: 'text', body: 'Hi', template: {}, location: {}, interactive: {} }), undefined);
  });
});

describe('composeContent', () => {
  const nobody = {
    ...{ template_components: null, template_category: null, marketing_opt_in: null, media: null },
  } as SendTarget;
  const body: TemplateComponent = { type: 'body', text: 'Hello {{1}}' };
  const approved = (components: TemplateComponent[], more: Partial<SendTarget> = {}): SendTarget => ({
    ...nobody,
    template_components: components,
    template_category: 'utility',
    ...more,
  });
  const template = (more: object = {}): ConversationMessageSend => ({
    kind: 'template',
    template: { name: 'a', language: 'en', params: ['Muna'], ...more },
  });
  const refusalOf = (send: ConversationMessageSend, target: SendTarget) => {
    const result = composeContent(send, target);
    return result instanceof Refusal ? result.code : undefined;
  };

  it('keeps a text as it is', () => {
    assert.deepEqual(composeContent({ kind: 'text', body: ' Hi ' }, nobody), { body: ' Hi ', content: null });
  });

  it('gives a place a text to read', () => {
    const location = { latitude: 23.5, longitude: 58.4, name: 'Souq', address: '' };
    const content = { kind: 'location', ...location };
    assert.deepEqual(composeContent({ kind: 'location', location }, nobody), { body: 'Souq\n23.5,58.4', content });
  });

  it('hands choices on as they are, whatever else stands in them', () => {
    const interactive = { type: 'list' as const, buttons: [{ id: 'a', odd: [1] }], footer: { text: 'F' } };
    const content = { kind: 'interactive', body: 'Which?', interactive };
    assert.deepEqual(composeContent({ kind: 'interactive', body: 'Which?', interactive }, nobody), {
      body: 'Which?',
      content,
    });
  });

  it('fills a template in, for a person and for the platform', () => {
    assert.deepEqual(composeContent(template(), approved([body])), {
      body: 'Hello Muna',
      content: { kind: 'template', name: 'a', language: 'en', category: 'utility', body: ['Muna'] },
    });
  });

  it('refuses what the template does not allow, in order', () => {
    const picture: TemplateComponent = { type: 'header', format: 'image' };
    assert.equal(refusalOf(template(), nobody), 'template_not_found');
    assert.equal(refusalOf(template({ header_media_id: 'med_1' }), approved([picture, body])), 'media_not_found');
    assert.equal(refusalOf(template(), approved([picture, body])), 'unprocessable_content');
    assert.equal(refusalOf(template({ params: [] }), approved([body])), 'unprocessable_content');
    const marketing = { template_category: 'marketing' };
    assert.equal(refusalOf(template(), approved([body], marketing)), 'unprocessable_content');
    assert.equal(refusalOf(template(), approved([body], { ...marketing, marketing_opt_in: true })), undefined);
  });

  it('takes a file of a type that its kind has, with its caption', () => {
    const of = (mime: string) => ({ id: 'a', mime, filename: 'a', size_bytes: 1 });
    const png = of('image/png');
    assert.deepEqual(composeContent({ kind: 'image', media_id: 'med_1', body: 'See' }, { ...nobody, media: png }), {
      ...{ body: 'See', content: null, media: png },
    });
    const cases: [ConversationMessageSend['kind'], string, string | undefined][] = [
      ['image', 'image/webp', 'unprocessable_content'],
      ['image', 'image/svg+xml', 'unprocessable_content'],
      ['video', 'video/mp4', undefined],
      ['video', 'image/png', 'unprocessable_content'],
      ['voice', 'audio/ogg; codecs=opus', undefined],
      ['voice', 'audio/ogg', 'unprocessable_content'],
      ['file', 'application/octet-stream', undefined],
      ['file', 'image/png', undefined],
    ];
    for (const [kind, mime, code] of cases) {
      assert.equal(refusalOf({ kind, media_id: 'med_1' }, { ...nobody, media: of(mime) }), code, `${kind} ${mime}`);
    }
    assert.equal(refusalOf({ kind: 'image', media_id: 'med_1' }, nobody), 'media_not_found');
  });

  it('gives the header of a template the file that it shows, and no other', () => {
    const media = { id: 'a', mime: 'image/png', filename: null, size_bytes: 1 };
    const picture: TemplateComponent = { type: 'header', format: 'image' };
    const send = template({ header_media_id: 'med_1' });
    const composed = composeContent(send, approved([picture, body], { media }));
    assert.ok(!(composed instanceof Refusal) && composed.media === media);
    const pdf = { ...media, mime: 'application/pdf' };
    assert.equal(refusalOf(send, approved([picture, body], { media: pdf })), 'unprocessable_content');
    assert.equal(refusalOf(send, approved([body], { media })), 'unprocessable_content');
    const paper: TemplateComponent = { type: 'header', format: 'document' };
    assert.equal(refusalOf(send, approved([paper, body], { media: pdf })), undefined);
  });
});
