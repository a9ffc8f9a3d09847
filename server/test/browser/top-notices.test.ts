import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);

const words = {
  en: { reload: 'Reload', retry: 'Try again', send: 'Send' },
  ar: { reload: 'إعادة التحميل', retry: 'إعادة المحاولة', send: 'إرسال' },
};

/** A page of an older version, whose connection then ends. */
async function open(path: string, locale: 'en' | 'ar', [width, height]: readonly [number, number]) {
  const at = { url: majlis.url, member: aisha, path: `/w/${workspace.id}/profile` };
  const { page, context } = await openSignedIn(pages, at, { locale, viewport: { width, height } });
  await page.route('**/w/**', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/(majlis-build" content=")[0-9a-f]+/, '$1000000000000');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(`${majlis.url}/w/${workspace.id}${path}`);
  await page.getByRole('button', { name: words[locale].reload }).waitFor();
  return { page, context };
}

async function goOffline(page: Page, locale: 'en' | 'ar'): Promise<void> {
  await page.context().setOffline(true);
  await page.getByRole('button', { name: words[locale].retry }).waitFor();
}

/** Fails where the button, or the notice around it, does not stand whole in the window. */
async function assertWhole(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.waitFor();
  const beyond = await button.evaluate((one: AnyJson) => {
    const { innerWidth, innerHeight } = one.ownerDocument.defaultView;
    const around = one.parentElement;
    return [one, around].map((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const isWide = element.scrollWidth > element.clientWidth + 1;
      return { isWide, isOut: top < 0 || left < 0 || bottom > innerHeight || right > innerWidth, top, bottom };
    });
  });
  assert.ok(
    beyond.every(({ isWide, isOut }) => !isWide && !isOut),
    `${name}: ${JSON.stringify(beyond)}`,
  );
}

describe('the offer to reload and the loss of the connection', () => {
  for (const [locale, size] of [
    ['en', [1280, 800]],
    ['ar', [1280, 800]],
    ['en', [390, 844]],
    ['ar', [320, 640]],
    ['en', [320, 640]],
  ] as const) {
    it(`leave the place to write in the window, in ${locale} at ${size[0]} px`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, context } = await open(`/inbox/${conversation_id}`, locale, size);
      await page.locator('textarea:read-write').waitFor();
      const { reload, retry, send } = words[locale];
      await assertWhole(page, reload);
      await assertWhole(page, send);
      await goOffline(page, locale);
      for (const name of [reload, retry, send]) await assertWhole(page, name);
      await context.close();
    });
  }

  it('stay in sight over a page that scrolls to its end', async () => {
    const { page, context } = await open('/workspace', 'en', [390, 600]);
    await page.locator('main h1').first().waitFor();
    await goOffline(page, 'en');
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    assert.ok(await page.evaluate('scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1'));
    const reload = await page.getByRole('button', { name: 'Reload' }).boundingBox();
    const main = await page.evaluate<number>(`document.querySelector('main').getBoundingClientRect().bottom`);
    assert.ok(reload!.y >= 0 && reload!.y < 200, `${reload!.y}`);
    assert.ok(main <= 600.5, `${main}`);
    await context.close();
  });
});
