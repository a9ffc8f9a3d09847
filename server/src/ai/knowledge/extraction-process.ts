import { buffer } from 'node:stream/consumers';
import { extractText } from './extract-text.ts';
import { searchWords } from './search-words.ts';
import { splitText } from './split-text.ts';
import { UnreadableSource } from './unreadable-source.ts';

// The program of the child process: reads a document from its input and writes an Extraction.

export interface Passage {
  body: string;
  /** The folded words of the passage, for the search. */
  folded: string;
}

export type Extraction = { passages: Passage[] } | { unreadable: string };

// The length of a long book.
const maxChars = 2_000_000;

async function extract(): Promise<Extraction> {
  const [type, content_type] = process.argv.slice(2);
  const bytes = await buffer(process.stdin);
  const text = type === 'text' ? bytes.toString() : await extractText({ bytes, content_type });
  if (text.length > maxChars) throw new UnreadableSource(`it has more than ${maxChars} letters`);
  const bodies = splitText(text);
  if (bodies.length === 0) throw new UnreadableSource('it has no text');
  return { passages: bodies.map((body) => ({ body, folded: searchWords(body) })) };
}

/** An array or a text beyond the limits of the process is a RangeError. */
function describeFailure(error: unknown): string {
  if (error instanceof UnreadableSource) return error.message;
  return error instanceof RangeError ? 'it takes too much memory to read' : 'the file is broken';
}

const extraction = await extract().catch((error): Extraction => ({ unreadable: describeFailure(error) }));
process.stdout.write(JSON.stringify(extraction));
