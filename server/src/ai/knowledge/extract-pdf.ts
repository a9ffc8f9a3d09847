import { extractText, getDocumentProxy } from 'unpdf';
import { UnreadableSource } from './unreadable-source.ts';

const maxPages = 2_000;

/** The text of a PDF, page by page. A scanned PDF has none. */
export async function extractPdf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes)).catch((error) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableSource(isLocked ? 'the PDF has a password' : 'the PDF is broken');
  });
  if (pdf.numPages > maxPages) throw new UnreadableSource(`the PDF has more than ${maxPages} pages`);
  const { text } = await extractText(pdf, { mergePages: false });
  return text.join('\n\n');
}
