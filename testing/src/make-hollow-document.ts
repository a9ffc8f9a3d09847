import { open } from 'node:fs/promises';

/** A document that takes no room on the disk: its beginning, its end and the given texts are written, the rest is a hole. */
export async function makeHollowDocument(file: string, bytes: number, texts: Record<number, string>): Promise<string> {
  const handle = await open(file, 'w');
  const write = (text: string, at: number) => handle.write(Buffer.from(text), 0, undefined, at);
  await write('%PDF-1.4\n', 0);
  for (const [at, text] of Object.entries(texts)) await write(text, Number(at));
  await write('\n%%EOF\n', bytes - 7);
  await handle.close();
  return file;
}
