import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guessColumns, readTable, toRecipients } from './read-recipients.ts';

function read(text: string, values: number) {
  const table = readTable(text);
  return { header: table.header, recipients: toRecipients(table, guessColumns(table, values)) };
}

describe('a list of recipients', () => {
  it('may be numbers alone', () => {
    const { header, recipients } = read('+96891234567\n٩١٢٣٤٥٦٨\n91 23 45 69\n', 0);
    assert.equal(header, undefined);
    assert.deepEqual(recipients, [{ to: '+96891234567' }, { to: '٩١٢٣٤٥٦٨' }, { to: '91 23 45 69' }]);
  });

  it('may come from a spreadsheet, with names of columns and the number in any of them', () => {
    const { header, recipients } = read('Name\tMobile\tOrder\nMuna\t+96891234567\tA-1\nRavi\t\tA-2', 2);
    assert.deepEqual(header, ['Name', 'Mobile', 'Order']);
    assert.deepEqual(recipients, [
      { to: '+96891234567', params: ['Muna', 'A-1'] },
      { to: '', params: ['Ravi', 'A-2'] },
    ]);
  });

  it('keeps a row whose value is missing, for the service to name it', () => {
    assert.deepEqual(read('+96891234567,Muna,\n', 2).recipients, [{ to: '+96891234567', params: ['Muna'] }]);
    assert.deepEqual(read('+96891234567\n', 1).recipients, [{ to: '+96891234567', params: [] }]);
  });

  it('takes no first row of words for a number', () => {
    assert.equal(read('nobody\nno one', 0).header, undefined);
    assert.deepEqual(readTable('').rows, []);
  });
});
