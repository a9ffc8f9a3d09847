import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const mostBytes = 150_000;

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

describe('the first view', () => {
  for (const locale of ['en', 'ar']) {
    it(`takes at most 150 kB of scripts, compressed with gzip: ${locale}`, async () => {
      const wa_id = newDigits();
      await postNotification(majlis, workspace, {
        contacts: [{ profile: { name: 'Muna' }, wa_id }],
        messages: [platformText(wa_id, 'Hello')],
      });
      const { page, context } = await pages.open({ viewport: { width: 1440, height: 900 }, locale });
      await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
      const scripts = new Set<string>();
      page.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.add(request.url());
      });
      // The rows start to load what comes next, so the count ends when they arrive.
      let first: string[] = [];
      await page.route('**/console/v1/workspaces/*/inbox?*', async (route) => {
        if (first.length === 0) first = [...scripts];
        await route.continue();
      });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox`);
      await page.locator('main li a[data-id]').first().waitFor();
      const sizes = await Promise.all(first.map(gzippedBytes));
      const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
      const largest = sizes.sort((one, other) => other.bytes - one.bytes).slice(0, 10);
      assert.ok(first.length > 5, `${first.length} scripts`);
      assert.ok(total <= mostBytes, `${total} bytes: ${largest.map(({ url, bytes }) => `${url} ${bytes}`).join(', ')}`);
    });
  }
});

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
