import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEmojiAlone, shortened, textParts } from './text-parts.ts';

const linksOf = (text: string) =>
  textParts(text).flatMap((part) => (part.type === 'link' ? [`${part.text} → ${part.href}`] : []));

describe('an address in a text', () => {
  const cases: [string, string, string[]][] = [
    [
      'opens on the web',
      'see https://a.example/b?c=1#d now',
      ['https://a.example/b?c=1#d → https://a.example/b?c=1#d'],
    ],
    ['may lack its protocol', 'www.a.example', ['www.a.example → https://www.a.example/']],
    [
      'ends before punctuation',
      'at https://a.example, or (https://b.example).',
      ['https://a.example → https://a.example/', 'https://b.example → https://b.example/'],
    ],
    ['may hold brackets', 'https://a.example/x_(y)', ['https://a.example/x_(y) → https://a.example/x_(y)']],
    ['ends before Arabic punctuation', 'https://a.example؟', ['https://a.example → https://a.example/']],
    ['may be a mailbox', 'muna@a.example', ['muna@a.example → mailto:muna@a.example']],
    ['ends at a mark of direction', 'https://a.example/\u202Egnp.exe', ['https://a.example/ → https://a.example/']],
    [
      'shows its true host in its target',
      'https://аpple.example',
      ['https://аpple.example → https://xn--pple-43d.example/'],
    ],
    ['is none where it names a user, which reads like a host', 'https://bank.example@evil.example/', []],
    ['is none with another protocol', 'javascript:alert(1) data:text/html,x vbscript:x file:///etc/passwd', []],
  ];
  for (const [title, text, links] of cases) it(title, () => assert.deepEqual(linksOf(text), links));

  it('leaves the rest of the text as it is', () => {
    const text = 'a <b> https://x.example "c" & d@e.example\n\nf';
    assert.equal(
      textParts(text, { hasMentions: true })
        .map((part) => part.text)
        .join(''),
      text,
    );
  });
});

describe('a mention in a note', () => {
  it('is found, but not inside an address', () => {
    const parts = textParts('@Omar ask omar@a.example و@أحمد', { hasMentions: true });
    assert.deepEqual(
      parts.filter(({ type }) => type === 'mention').map(({ text }) => text),
      ['@Omar', 'و@أحمد'],
    );
  });
});

describe('a long text', () => {
  it('is cut between words', () => {
    const cut = shortened('word '.repeat(2_000))!;
    assert.ok(cut.length <= 900 && cut.endsWith('word'));
  });
  it('is cut between emoji', () => assert.match(shortened('👩‍👩‍👧‍👦'.repeat(500))!, /^(👩‍👩‍👧‍👦){50,}$/u));
  it('is cut between lines', () => assert.equal(shortened('a\n'.repeat(100))!.split('\n').length, 24));
  it('is whole where it is short', () => assert.equal(shortened('short'), undefined));
});

describe('a few emoji', () => {
  for (const text of ['👍', '👩‍👩‍👧‍👦 🇴🇲', '👍🏽']) it(`are larger: ${text}`, () => assert.ok(isEmojiAlone(text)));
  for (const text of ['1', '#', 'ok 👍', '']) it(`are not: ${text}`, () => assert.ok(!isEmojiAlone(text)));
});
