import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { headBytes, sniffType } from './sniff-type.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string) => Buffer.from(text, 'hex');

it('finds the type in the first bytes', async () => {
  const cases: [Buffer, string][] = [
    [hex('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489'), 'image/png'],
    [hex(`89504e470d0a1a0a0000000d49484452${'0'.repeat(34)}000000086163544c${'0'.repeat(24)}`), 'image/png'],
    [hex('ffd8ffe000104a46494600010100000100010000ffd9'), 'image/jpeg'],
    [latin('GIF89a'), 'image/gif'],
    [latin('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp'],
    [latin('\0\0\0\x18ftypisom\0\0\0\0isomiso2'), 'video/mp4'],
    [latin('\0\0\0\x18ftypM4V \0\0\0\0isomM4A '), 'video/mp4'],
    [latin('\0\0\0\x18ftyp3gp5\0\0\0\0isom3gp5'), 'video/3gpp'],
    [latin('\0\0\0\x18ftypM4A \0\0\0\0isomM4A '), 'audio/mp4'],
    [latin('#!AMR\n\x3c'), 'audio/amr'],
    [Buffer.concat([hex('fff15080'), Buffer.alloc(60)]), 'audio/aac'],
    [Buffer.concat([hex('fffb9064'), Buffer.alloc(417)]), 'audio/mpeg'],
    [Buffer.concat([latin('ID3\x03\0\0\0\x0f\x7f\x7f'), Buffer.alloc(headBytes)]), 'audio/mpeg'],
    [latin(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01\x01`), 'audio/ogg; codecs=opus'],
    [latin(`OggS\0\x02${'\0'.repeat(20)}\x01\x1e\x01vorbis${'\0'.repeat(30)}`), 'audio/ogg'],
    [latin('%PDF-1.4\n'), 'application/pdf'],
    [latin(`PK\x03\x04${'\0'.repeat(40)}`), 'application/zip'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'image/svg+xml'],
    [Buffer.from('<?xml version="1.0"?>\n<!-- a --><svg/>'), 'image/svg+xml'],
    [Buffer.from('<?xml version="1.0"?><a/>'), 'application/xml'],
    [Buffer.from('<!DOCTYPE html><html>'), 'text/html'],
    [Buffer.from('hello <script>alert(1)</script>'), 'text/html'],
    [Buffer.from('مرحبا\r\nhello\t<3'), 'text/plain'],
    [Buffer.from('a < b and c > d'), 'text/plain'],
    [hex('000102fe'), 'application/octet-stream'],
    [Buffer.alloc(0), 'application/octet-stream'],
  ];
  for (const [head, mime] of cases)
    assert.equal(await sniffType(head, 'photo.png'), mime, JSON.stringify(head.toString()));
});

it('learns from a name which Office format a container holds, and nothing else', async () => {
  const zip = latin(`PK\x03\x04${'\0'.repeat(40)}`);
  const ole = Buffer.concat([hex('d0cf11e0a1b11ae1'), Buffer.alloc(600)]);
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  assert.equal(await sniffType(zip, 'Letter.DOCX'), word);
  assert.equal(await sniffType(ole, 'old.xls'), 'application/vnd.ms-excel');
  assert.equal(await sniffType(Buffer.from('<html>'), 'Letter.docx'), 'text/html');
  assert.equal(await sniffType(zip, 'a.html'), 'application/zip');
  assert.equal(await sniffType(zip, undefined), 'application/zip');
});

it('cuts no letter at the end of the first bytes in two', async () => {
  assert.equal(await sniffType(Buffer.from('ف'.repeat(4_000)).subarray(0, headBytes - 1), undefined), 'text/plain');
});

it('comes to an end without an error, whatever follows the mark of a format', async () => {
  const marks = ['PK\x03\x04', '\x1a\x45\xdf\xa3', '0&\xb2u\x8ef\xcf\x11\xa6\xd9\0\xaa\0b\xcel', 'ID3\x04\0\0', 'OggS'];
  marks.push(
    '\x89PNG\r\n\x1a\n',
    'II*\0',
    'RIFF',
    'fLaC',
    '\x1f\x8b\x08',
    'MZ',
    '\0\0\0\x18ftyp',
    '\xff\xd8\xff',
    '<?xml ',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...marks),
      fc.oneof(
        fc.uint8Array({ maxLength: headBytes }),
        fc.uint8Array({ minLength: 1, maxLength: 32 }).map((part) => Buffer.alloc(headBytes, part)),
      ),
      async (mark, rest) => {
        const mime = await sniffType(Buffer.concat([latin(mark), rest]), undefined);
        assert.match(mime, /^[a-z]+\/[\w.+-]+(; codecs=[\w.]+)?$/);
      },
    ),
    { numRuns: 1_500 },
  );
});
