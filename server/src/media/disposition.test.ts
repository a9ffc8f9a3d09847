import assert from 'node:assert/strict';
import { it } from 'node:test';
import { disposition } from './disposition.ts';

it('says the name in both forms', () => {
  assert.equal(
    disposition('attachment', 'receipt (1).pdf'),
    'attachment; filename="receipt (1).pdf"; filename*=UTF-8\'\'receipt%20%281%29.pdf',
  );
  assert.equal(disposition('inline', null), 'inline');
});

it('lets no name leave its place', () => {
  const names = ['a"; x="y.html', "it's*.txt", 'a\\".pdf', 'فاتورة.pdf', '😀.png', 'a;b,c%41.txt'];
  for (const name of names) {
    const header = disposition('attachment', name);
    const parsed = /^attachment; filename="([\w .()+-]*)"; filename\*=UTF-8''([\w.%!#$&+^`|~-]+)$/.exec(header);
    assert.ok(parsed, header);
    assert.equal(decodeURIComponent(parsed[2]!), name);
  }
});

it('keeps a long name short, with its extension, and cuts no letter in two', () => {
  const header = disposition('attachment', `${'ف'.repeat(400)}.pdf`);
  const name = decodeURIComponent(header.split("UTF-8''")[1]!);
  assert.match(name, /^ف{80,}\.pdf$/);
  assert.ok(Buffer.byteLength(name) <= 255);
});
