import type { BrowserContextOptions, Page } from 'playwright-core';
import { composerWords } from './composer-words.ts';
import type { AnyJson } from './json.ts';
import type { OpenedPage, Pages } from './open-pages.ts';
import type { Member } from './people.ts';
import { signedIn } from './sign-in-pages.ts';
import type { TestWorkspace } from './start-test-service.ts';

/** A page that shows a conversation, with what tests of the composer use. */
export interface OpenedComposer extends OpenedPage {
  words: (typeof composerWords)['en'];
  reply: ReturnType<Page['getByRole']>;
  note: ReturnType<Page['getByRole']>;
}

/** Opens a conversation in a browser of its own, as this person. */
export async function openComposer(
  pages: Pages,
  {
    url,
    workspace,
    member,
    conversation_id,
  }: {
    url: string;
    workspace: Pick<TestWorkspace, 'id'>;
    member: Pick<Member, 'email'>;
    conversation_id: string;
  },
  options: BrowserContextOptions & { locale?: 'en' | 'ar' } = {},
): Promise<OpenedComposer> {
  const storageState = await signedIn(pages, url, member);
  const opened = await pages.open({ viewport: { width: 1280, height: 800 }, ...options, storageState });
  const { page } = opened;
  await page.goto(`${url}/w/${workspace.id}/inbox/${conversation_id}`);
  const words = composerWords[options.locale ?? 'en'];
  const reply = page.getByRole('textbox', { name: words.reply_label });
  const note = page.getByRole('textbox', { name: words.note_label });
  await page
    .locator('section[data-mode] textarea:read-write')
    .waitFor({ timeout: 60_000 })
    .catch((error) => {
      throw new Error(`no composer: ${opened.troubles.join('; ')}`, { cause: error });
    });
  return { ...opened, words, reply, note };
}

/** The texts that the business has sent in a conversation, in order. */
export async function sentTexts({ api }: Pick<TestWorkspace, 'api'>, conversation_id: string): Promise<string[]> {
  const { data } = (await api.get(`/conversations/${conversation_id}/messages`)).body;
  return data
    .filter(({ direction, kind }: AnyJson) => direction === 'outbound' && kind !== 'note')
    .map(({ body }: AnyJson) => body);
}

/** The drafts of a person in a conversation, as `reply: text`. */
export async function draftsOf(member: Member, conversation_id: string): Promise<string[]> {
  const { body } = await member.at('GET', `/conversations/${conversation_id}/drafts`);
  return body.data.map(({ kind, body: text }: AnyJson) => `${kind}: ${text}`);
}
