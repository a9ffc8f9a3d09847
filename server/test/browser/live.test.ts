import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import type { BrowserContext, Page } from 'playwright-core';

const stream = 'GET /console/v1/stream';
const majlis = await startTestService({ env: { LIVE_HEARTBEAT_SECONDS: '1', RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
/** Between the browsers and the service. */
const network = await startFaultyProxy(Number(new URL(majlis.url).port), [stream]);
const url = `http://127.0.0.1:${network.port}`;
const pages = await openPages({ url });

/** A connection of a closed tab is there for a moment longer. */
const carries = (streams: number) =>
  eventually(
    () => network.carrying(stream),
    (count) => count === streams,
  );
const shown = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first();
const rowsOf = (page: Page) => page.locator('main [data-id]').allInnerTexts();
const writes = (handle: string, name: string) =>
  postNotification(majlis, workspace, {
    contacts: [{ profile: { name }, wa_id: handle }],
    messages: [platformText(handle, name)],
  });

async function signIn(context: BrowserContext, page: Page, { email }: Member = owner): Promise<void> {
  const response = await context.request.post(`${url}/console/v1/sign-in`, { data: { email, password } });
  assert.equal(response.status(), 200, await response.text());
  await openInbox(page);
}

async function openInbox(page: Page): Promise<void> {
  await page.goto(`${url}/`);
  await shown(page, 'Live').waitFor();
}

async function openConsole(person?: Member) {
  const opened = await pages.open();
  await signIn(opened.context, opened.page, person);
  return opened;
}

describe('an open console', () => {
  it('shows a message of a customer without a reload', async () => {
    const { page, context, troubles } = await openConsole();
    const handle = newDigits();
    await writes(handle, handle);
    await shown(page, handle.slice(-8)).waitFor();
    assert.deepEqual(troubles, []);
    await context.close();
  });

  it('shares one stream among the tabs of a browser, which outlives the tab that opened it', async () => {
    const { page, context } = await openConsole();
    const tabs = [await context.newPage(), await context.newPage()];
    for (const tab of tabs) await openInbox(tab);
    await carries(1);
    const handles = [newDigits(), newDigits()];
    await writes(handles[0]!, handles[0]!);
    for (const tab of [page, ...tabs]) await shown(tab, handles[0]!.slice(-8)).waitFor();
    await page.close();
    await writes(handles[1]!, handles[1]!);
    for (const tab of tabs) await shown(tab, handles[1]!.slice(-8)).waitFor();
    await carries(1);
    await context.close();
  });

  it('has a stream per visible tab where the browser has no locks, as on plain http', async () => {
    const { page, context } = await pages.open();
    await context.addInitScript('delete Navigator.prototype.locks');
    await signIn(context, page);
    await openInbox(await context.newPage());
    await carries(2);
    const handle = newDigits();
    await writes(handle, handle);
    for (const tab of context.pages()) await shown(tab, handle.slice(-8)).waitFor();
    await context.close();
  });

  it('equals a fresh reading after each cut, during which customers and colleagues write', async () => {
    const { page, context } = await openConsole();
    const tabs = [page, await context.newPage()];
    await openInbox(tabs[1]!);
    const fresh = await openConsole();
    const known = newDigits();
    const conversation_id = await receiveText(majlis, workspace, known);
    const { contact_id } = await receiveMessage(majlis, workspace, newDigits());
    const changes = [
      () => receiveText(majlis, workspace, newDigits()),
      // The changes of this cut are lost, as after a crash of PostgreSQL or a quarter of an hour.
      () => receiveText(majlis, workspace, known).then(() => majlis.sql('truncate live_feed, live_changes')),
      () => owner.at('POST', `/conversations/${conversation_id}/close`, {}),
      () => owner.post('/confirm', { password }).then(() => owner.at('DELETE', `/contacts/${contact_id}`)),
      () => workspace.api.post('/messages', { to: `+${newDigits()}`, ...templateMessage }),
    ];
    for (const change of changes) {
      network.refuse();
      for (const tab of tabs) await shown(tab, 'No connection').waitFor();
      await change();
      network.mend();
      await eventually(
        async () => {
          await fresh.page.reload();
          await fresh.page.locator('main [data-id]').first().waitFor();
          return Promise.all([fresh.page, ...tabs].map(rowsOf));
        },
        ([truth, ...rest]) => rest.every((rows) => JSON.stringify(rows) === JSON.stringify(truth)),
      );
      for (const tab of tabs) await shown(tab, 'Live').waitFor();
    }
    await Promise.all([context.close(), fresh.context.close()]);
  });

  it('notices a connection that fell silent', async () => {
    const { page, context } = await pages.open();
    await page.clock.install();
    await signIn(context, page);
    network.silence(stream);
    const handle = newDigits();
    await writes(handle, handle);
    await page.clock.fastForward('01:30');
    await shown(page, handle.slice(-8)).waitFor();
    await context.close();
  });

  it('says when the browser is offline, and catches up', async () => {
    const { page, context } = await openConsole();
    await context.setOffline(true);
    await shown(page, 'No connection').waitFor();
    const handle = newDigits();
    await writes(handle, handle);
    await context.setOffline(false);
    await shown(page, 'Live').waitFor();
    await shown(page, handle.slice(-8)).waitFor();
    await context.close();
  });

  it('says since when there is no connection, and tries again at the press of a button', async () => {
    const { page, context } = await pages.open();
    await page.clock.install();
    await signIn(context, page, await joinWorkspace(majlis, workspace));
    // Nothing is tried again by itself, because no time passes.
    await page.clock.pauseAt(Date.now() + 60_000);
    network.refuse();
    const bar = page.getByRole('alert').filter({ hasText: /No connection since .*\d:\d\d/ });
    await bar.waitFor();
    network.mend();
    await bar.getByRole('button', { name: 'Try again' }).click();
    await bar.waitFor({ state: 'hidden' });
    await context.close();
  });

  it('shows the sign-in in every tab when the session is ended elsewhere', async () => {
    const { page, context } = await openConsole();
    const other = await context.newPage();
    await openInbox(other);
    const { body } = await owner.get('/sessions');
    for (const { id, current } of body.data) if (!current) await owner.request('DELETE', `/sessions/${id}`);
    for (const tab of [page, other]) await tab.getByText('You were signed out').waitFor();
    assert.deepEqual(await rowsOf(page), []);
    await context.close();
  });

  it('loses the workspace that the person is removed from', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { page, context } = await openConsole(leaver);
    const handle = newDigits();
    await writes(handle, handle);
    await shown(page, handle.slice(-8)).waitFor();
    assert.equal((await owner.at('DELETE', `/members/${leaver.user_id}`)).status, 204);
    await page.getByText('You belong to no workspace').waitFor();
    assert.ok(!(await page.content()).includes(handle));
    await context.close();
  });

  it('drops an erased contact', async () => {
    const { page, context } = await openConsole();
    const handle = newDigits();
    const { contact_id } = await receiveMessage(majlis, workspace, handle);
    await shown(page, handle.slice(-8)).waitFor();
    assert.equal((await owner.post('/confirm', { password })).status, 204);
    assert.equal((await owner.at('DELETE', `/contacts/${contact_id}`)).status, 204);
    await shown(page, handle.slice(-8)).waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(handle));
    await context.close();
  });

  it('shows hostile names as text, and lets none reorder its line', async () => {
    const { page, context, troubles } = await pages.open();
    await page.addInitScript(`
      globalThis.violations = [];
      addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));
      globalThis.alert = () => violations.push('script');`);
    await signIn(context, page);
    const names = [
      '<img src=x onerror=alert(1)>',
      '"><script>alert(1)</script>',
      '<svg/onload=alert(1)>',
      'javascript:alert(1)',
      '{{constructor.constructor("alert(1)")()}}',
      '<a href="//evil.example">Muna</a>',
      '\u202Egnp.exe',
      '\u2066\u2067\u2068never closed',
    ];
    for (const name of names) {
      await writes(newDigits(), name);
      await page.locator('main [data-id] bdi').getByText(name, { exact: true }).first().waitFor();
    }
    const bidi = await page.evaluate(
      `[...document.querySelectorAll('main [data-id] bdi')].map((name) => getComputedStyle(name).unicodeBidi)`,
    );
    assert.deepEqual([...new Set(bidi as string[])], ['isolate']);
    assert.deepEqual(await page.evaluate('violations'), []);
    assert.deepEqual(troubles, []);
    await context.close();
  });
});
