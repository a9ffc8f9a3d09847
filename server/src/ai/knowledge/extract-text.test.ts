import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extractText } from './extract-text.ts';

const extract = (text: string) => extractText({ bytes: Buffer.from(text), content_type: 'text/plain' });

describe('extractText', () => {
  it('reads a page that begins with comments and a declaration as HTML', async () => {
    const preface = ' <?XML version="1.0"?>\n<!-- a --> <!---->\n';
    assert.equal(await extract(`${preface}<html><body><p>Open at nine.</p></body></html>`), 'Open at nine.');
  });

  it('reads a text of comments alone as text', async () => {
    for (const text of ['<!---->'.repeat(290), '<!--', '<?xml', '<!-- a --> plain'])
      assert.equal(await extract(text), text);
  });
});
