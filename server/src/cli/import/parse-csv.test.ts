import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCsv } from './parse-csv.ts';

it('reads fields with commas, quotes and lines in them, and rows with any end', () => {
  const text = '\ufeffname,phone\r\n"Said, Muna","+968 1"\n"a ""b""\nc",\n\nlast,2';
  assert.deepEqual(parseCsv(text), [
    ['name', 'phone'],
    ['Said, Muna', '+968 1'],
    ['a "b"\nc', ''],
    ['last', '2'],
  ]);
  assert.deepEqual(parseCsv('a,'), [['a', '']]);
  assert.deepEqual(parseCsv(''), []);
});

it('refuses a quoted field that does not end, or that goes on behind its quotes', () => {
  assert.equal(parseCsv('a,"b'), undefined);
  assert.equal(parseCsv('"a"b,c'), undefined);
});
