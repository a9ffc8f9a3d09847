import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@majlis/testing/eventually';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import { stirInbox } from '@majlis/testing/live/stir-inbox';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { seededRandom } from '@majlis/testing/seeded-random';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { BrowserContext, Page } from 'playwright-core';

// CONSOLE_CUTS=20 is the published number, of 1 to 120 s each. By default fewer and shorter ones.
const count = Number(process.env.CONSOLE_CUTS ?? 5);
const cutMs = process.env.CONSOLE_CUTS ? { shortest: 1_000, longest: 120_000 } : { shortest: 200, longest: 3_000 };
const writesPerCut = 8;

const stream = 'GET /console/v1/stream';
const majlis = await startTestService({ env: { LIVE_HEARTBEAT_SECONDS: '1', RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const viewer = await joinWorkspace(majlis, workspace, { name: 'Viewer', role: 'supervisor' });
const colleague = await joinWorkspace(majlis, workspace, { name: 'Colleague' });
const network = await startFaultyProxy(Number(new URL(majlis.url).port), [stream]);
const url = `http://127.0.0.1:${network.port}`;
const pages = await openPages({ url });

/** A tab that is frozen gets no message of the other tabs, and the browser drops what it does not take. */
const freezable = `
  const listeners = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage');
  Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {
    ...listeners,
    set(listener) {
      listeners.set.call(this, (event) => globalThis.isFrozen || listener.call(this, event));
    },
  });`;

/** What one tab shows: its title, the views with their counts, the rows of the list, and the end of the open thread. */
const stateOf = (page: Page): Promise<unknown> =>
  page.evaluate(`({
    title: document.title,
    views: document.querySelector('main nav')?.innerText,
    rows: [...document.querySelectorAll('main li a[data-id]')].map((row) => row.innerText),
    thread: [...document.querySelectorAll('[role=feed] [data-message]')].slice(-4).map(({ innerText }) => innerText),
  })`);

async function openTabs(paths: readonly string[]): Promise<{ context: BrowserContext; tabs: Page[] }> {
  const at = { url, member: viewer, path: paths[0]!, script: freezable };
  const { context, page } = await openSignedIn(pages, at);
  const tabs = [page];
  for (const path of paths.slice(1)) {
    const tab = await context.newPage();
    await tab.goto(`${url}${path}`);
    tabs.push(tab);
  }
  for (const tab of tabs) await tab.getByText('Live', { exact: true }).filter({ visible: true }).first().waitFor();
  return { context, tabs };
}

describe('an open console', () => {
  it(`shows in each view, count, thread and title what a fresh reading shows, after ${count} cuts under writes`, async (t) => {
    const random = seededRandom();
    const customers = Array.from({ length: 8 }, () => newDigits());
    const kept_id = await receiveText(majlis, workspace, newDigits());
    for (const customer of customers) await receiveText(majlis, workspace, customer);
    const stirred = { majlis, workspace, viewer, colleague, customers, kept_id };
    const inbox = `/w/${workspace.id}/inbox`;
    const paths = [`${inbox}/${kept_id}`, `${inbox}?view=mine`, `${inbox}?view=unassigned`, `${inbox}?view=closed`];
    const { context, tabs } = await openTabs(paths);
    const fresh = await openTabs(paths);
    let turn = 0;

    // Each cuts, lets others write, and mends.
    const cuts: Record<string, (write: () => Promise<void>) => Promise<void>> = {
      async 'a frozen tab'(write) {
        for (const tab of tabs.slice(1)) await tab.evaluate('globalThis.isFrozen = true');
        await write();
        await pause(500);
        for (const tab of tabs.slice(1)) await tab.evaluate('globalThis.isFrozen = false');
      },
      async 'a browser that is offline'(write) {
        await context.setOffline(true);
        await write();
        await context.setOffline(false);
      },
      async 'a connection that is reset'(write) {
        network.refuse();
        await write();
        network.mend();
      },
      async 'streams that the service ends, whose past it has lost'(write) {
        network.reset();
        await write();
        // In the order in which the service locks them.
        await majlis.sql('truncate live_feed, live_changes');
      },
      async 'a closed tab that had the stream'(write) {
        const [first] = tabs.splice(0, 1);
        await first!.close();
        await write();
        const page = await context.newPage();
        await page.goto(`${url}${paths[0]}`);
        tabs.unshift(page);
      },
    };
    const kinds = Object.keys(cuts);
    for (let cut = 0; cut < count; cut++) {
      const kind = kinds[cut % kinds.length]!;
      const ms = Math.round(cutMs.shortest * (cutMs.longest / cutMs.shortest) ** random.next());
      await cuts[kind]!(async () => {
        const end = pause(ms);
        for (let write = 0; write < writesPerCut; write++) await stirInbox(random, stirred, turn++);
        await end;
      });
      t.diagnostic(`cut ${cut + 1}: ${kind}, ${ms} ms`);
      await Promise.all(fresh.tabs.map((tab) => tab.reload()));
      let last: [unknown, unknown] | undefined;
      await eventually(
        async () => {
          last = [await Promise.all(tabs.map(stateOf)), await Promise.all(fresh.tabs.map(stateOf))];
          return JSON.stringify(last[0]) === JSON.stringify(last[1]);
        },
        (isEqual) => isEqual,
      ).catch(() => assert.deepEqual(last?.[0], last?.[1], `after ${kind}`));
    }
    await Promise.all([context.close(), fresh.context.close()]);
  });
});
