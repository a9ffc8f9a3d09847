import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanCell, guessTargets, toContact, toLatinDigits } from './map-columns.ts';
import { detectEncoding, detectSeparator, readCsv, writeCsv } from './read-csv.ts';

describe('readCsv', () => {
  it('reads quotes, line ends and empty rows as spreadsheets write them', () => {
    assert.deepEqual(readCsv('\ufeffa,"b ""c"", d"\r\n\r\n"x\ny",2\r3,"', ','), [
      ['a', 'b "c", d'],
      ['x\ny', '2'],
      ['3', ''],
    ]);
    assert.deepEqual(readCsv('5" pipe;x', ';'), [['5" pipe', 'x']]);
  });

  it('finds the separator', () => {
    assert.equal(detectSeparator('name,phone\nA,1\nB,2'), ',');
    assert.equal(detectSeparator('name;phone;note\nA;1;a,b\nB;2;c'), ';');
    assert.equal(detectSeparator('name\tphone\nA\t1'), '\t');
    assert.equal(detectSeparator('sep=;\na;b'), ';');
    assert.equal(detectSeparator('phone\n1\n2'), ',');
  });

  it('finds the encoding', () => {
    const bytes = (...list: number[]) => new Uint8Array(list);
    assert.equal(detectEncoding(new TextEncoder().encode('اسم')), 'utf-8');
    assert.equal(detectEncoding(bytes(0xff, 0xfe, 0x27, 0x06)), 'utf-16le');
    // "اسم" as Windows wrote it.
    assert.equal(detectEncoding(bytes(0xc7, 0xd3, 0xe3)), 'windows-1256');
  });

  it('is undone by writeCsv, but for formulas', () => {
    const rows = [
      ['+968 9123', 'a;b'],
      ['=1+1', 'say "hi"'],
    ];
    assert.deepEqual(readCsv(writeCsv(rows), ','), [rows[0], ["'=1+1", 'say "hi"']]);
  });

  it('is written without formulas for spreadsheets of any country', () => {
    const call = "cmd|'/C calc'!A0";
    const names = [
      `Muna;=${call}`,
      `Muna\t@${call}`,
      `Muna\n=${call}`,
      `Muna\r\n-${call}`,
      `Muna;;+${call}`,
      `\n=${call}`,
    ];
    const text = writeCsv(names.map((name) => ['1', name]));
    // Where the list separator is another one, a quote within a cell is a sign as any other.
    const cells = text.split(/[;\t\r\n]/).map((cell) => cell.replace(/^"/, ''));
    assert.deepEqual(
      cells.filter((cell) => /^[=+@-]/.test(cell)),
      [],
    );
  });
});

describe('the mapping of columns', () => {
  const vocabulary = {
    fields: [
      { key: 'city', label: 'City', type: 'text' as const },
      { key: 'age', type: 'number' as const },
    ],
    stages: [{ id: 's1', name: 'Lead', order: 1 }],
  };
  it('recognises columns in both languages', () => {
    assert.deepEqual(guessTargets(['Full name', 'Phone', 'E-mail', 'city', '?'], vocabulary.fields), [
      'name',
      'phone',
      'email',
      'field:city',
      'none',
    ]);
    assert.deepEqual(guessTargets(['الاسم', 'رقم الهاتف', 'وسوم'], []), ['name', 'phone', 'tags']);
  });

  it('reads cells, and says why a row is none', () => {
    const read = (row: string[], columns: Parameters<typeof toContact>[1]) => toContact(row, columns, vocabulary);
    assert.deepEqual(
      read(
        ['٩١٢٣٤٥٦٧', ' Muna ', 'a، b;a', 'نعم', '٣٫٥', 'lead'],
        ['phone', 'name', 'tags', 'marketing', 'field:age', 'stage'],
      ),
      {
        contact: {
          identities: [{ channel_type: 'chatapp', identifier: '91234567' }],
          name: 'Muna',
          tags: ['a', 'b'],
          consents: { chatapp_marketing: true },
          stage_id: 's1',
          custom_fields: { age: 3.5 },
        },
      },
    );
    assert.deepEqual(read(['', 'Muna'], ['phone', 'name']), { fault: 'no_phone' });
    assert.deepEqual(read(['9.68912E+11'], ['phone']), { fault: 'shortened_number' });
    assert.deepEqual(read(['1', 'perhaps'], ['phone', 'marketing']), { fault: 'unclear_answer' });
    assert.deepEqual(read(['1', 'Won'], ['phone', 'stage']), { fault: 'unknown_stage' });
    assert.equal(cleanCell('="+96891234567"'), '+96891234567');
    assert.equal(cleanCell("'+96891234567"), '+96891234567');
    assert.equal(toLatinDigits('۰۹٠٩'), '0909');
  });
});
