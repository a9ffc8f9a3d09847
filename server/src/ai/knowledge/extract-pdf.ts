import { extractText, getDocumentProxy } from 'unpdf';
import { Unreadable } from './unreadable.ts';

const mostPages = 2_000;

/** The text of a PDF, page by page; a scanned one has none. */
export async function extractPdf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes)).catch((error) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new Unreadable(isLocked ? 'the PDF has a password' : 'the PDF is broken');
  });
  if (pdf.numPages > mostPages) throw new Unreadable(`the PDF has more than ${mostPages} pages`);
  const { text } = await extractText(pdf, { mergePages: false });
  return text.join('\n\n');
}
