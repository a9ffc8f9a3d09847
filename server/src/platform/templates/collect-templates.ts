import { readArray, readMember, readText } from '../read-json.ts';
import { PlatformRefusal } from '../refusal.ts';
import type { PlatformTemplate } from '../template.ts';
import { readPlatformTemplate } from './read-template.ts';

/** Reads all pages; throws rather than answer a part. After a stale cursor (131059) it restarts once. */
export async function collectTemplates(getPage: GetPage): Promise<PlatformTemplate[]> {
  try {
    return await readPages(getPage);
  } catch (failure) {
    if (failure instanceof PlatformRefusal && failure.error?.code === 131059) return readPages(getPage);
    throw failure;
  }
}

type GetPage = (after?: string) => Promise<unknown>;

/** Follows the cursors (section 0). The URL in `next` is not called: it could send the token to another host. */
async function readPages(getPage: GetPage): Promise<PlatformTemplate[]> {
  const found = new Map<string, PlatformTemplate>();
  const walked = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await getPage(after);
    for (const value of readArray(readMember(page, 'data'))) {
      const template = readPlatformTemplate(value);
      if (template) found.set(template.platform_template_id, template);
    }
    const paging = readMember(page, 'paging');
    if (readMember(paging, 'next') === undefined) return [...found.values()];
    after = readText(readMember(readMember(paging, 'cursors'), 'after'));
    if (after === undefined || walked.has(after)) throw new PlatformRefusal('the list of templates does not end');
    walked.add(after);
  }
}
