import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanFilename } from './clean-filename.ts';

it('keeps what is a name, in any script', () => {
  for (const name of ['receipt.pdf', 'فاتورة رقم ١٢.pdf', 'it\'s "here".txt', '.profile', 'a'.repeat(300)]) {
    assert.equal(cleanFilename(name), name);
  }
});

it('keeps no path, no line break and no turned direction of a name', () => {
  const cases: [string, string | undefined][] = [
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie: x=1.png'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['nul\0.txt', 'nul.txt'],
    ['\ud800.txt', '\ufffd.txt'],
    ['..', undefined],
    ['a/', undefined],
    [' \t', undefined],
    ['', undefined],
  ];
  for (const [given, expected] of cases) assert.equal(cleanFilename(given), expected, JSON.stringify(given));
  assert.equal(cleanFilename(undefined), undefined);
});
