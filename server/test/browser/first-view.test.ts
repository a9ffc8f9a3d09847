import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

/** What a workspace has few of. The rest may change while the page loads, as what is unread. */
const shortList = /\/(users|teams|views|stages|channels|workspace|agents|workflows|business-hours)$/;

/** A browser asks for six at a time, and each takes it some time. */
const mostScripts = 30;
const mostBytes = { sign_in: 90_000, list: 135_000, conversation: 312_000 };

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

async function receive(): Promise<void> {
  const wa_id = newDigits();
  await postNotification(majlis, workspace, {
    contacts: [{ profile: { name: 'Muna' }, wa_id }],
    messages: [platformText(wa_id, 'Hello')],
  });
}

/** Opens a page, and gathers the addresses of its scripts. */
async function openGathering(locale: string, { isSignedIn }: { isSignedIn: boolean }) {
  const { page, context } = await pages.open({ viewport: { width: 1440, height: 900 }, locale });
  if (isSignedIn) {
    await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
  }
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  return { page, scripts };
}

async function assertLight(scripts: Iterable<string>, most: number): Promise<void> {
  const sizes = await Promise.all([...scripts].map(gzippedBytes));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = sizes.sort((one, other) => other.bytes - one.bytes).slice(0, 10);
  assert.ok(sizes.length > 1, `${sizes.length} scripts`);
  assert.ok(total <= most, `${total} bytes: ${largest.map(({ url, bytes }) => `${url} ${bytes}`).join(', ')}`);
}

for (const locale of ['en', 'ar']) {
  describe(`the scripts, compressed with gzip (${locale})`, () => {
    it('of the sign-in are 90 kB at most', async () => {
      const { page, scripts } = await openGathering(locale, { isSignedIn: false });
      await page.goto(majlis.url);
      await page.locator('input[name=password]').waitFor();
      await assertLight(scripts, mostBytes.sign_in);
    });

    it('of the list are 135 kB at most', async () => {
      await receive();
      const { page, scripts } = await openGathering(locale, { isSignedIn: true });
      // The rows start to load what comes next, so the count ends when they arrive.
      let first: string[] = [];
      await page.route('**/console/v1/workspaces/*/inbox?*', async (route) => {
        if (first.length === 0) first = [...scripts];
        await route.continue();
      });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox`);
      await page.locator('main li a[data-id]').first().waitFor();
      await assertLight(first, mostBytes.list);
    });

    it('of an open conversation with its contact are 312 kB and 30 files at most', async () => {
      await receive();
      const { page, scripts } = await openGathering(locale, { isSignedIn: true });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox`);
      const address = await page.locator('main li a[data-id]').first().getAttribute('href');
      scripts.clear();
      const asked: string[] = [];
      page.on('request', (request) => {
        if (shortList.test(request.url())) asked.push(request.url());
      });
      await page.goto(`${majlis.url}${address}`);
      await page.locator('textarea:read-write').waitFor();
      await page.getByRole('complementary').getByRole('button').first().waitFor();
      await assertLight(scripts, mostBytes.conversation);
      assert.ok(scripts.size <= mostScripts, `${scripts.size} scripts: ${[...scripts].join(', ')}`);
      assert.deepEqual(
        asked.filter((one, n) => asked.indexOf(one) < n),
        [],
      );
    });
  });
}

async function gzippedBytes(url: string): Promise<{ url: string; bytes: number }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      assert.equal(response.headers['content-encoding'], 'gzip', url);
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ url: new URL(url).pathname, bytes }));
    }).on('error', reject);
  });
}
