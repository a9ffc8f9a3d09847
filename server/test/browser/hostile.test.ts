import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { addPlatformFile, samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const act = 'globalThis.ran=1';
/** Texts that run, that turn what stands around them, or that are too large, in a browser that trusts them. */
const corpus = {
  markup: `<img src=x onerror=${act}><script>${act}</script><b>bold</b>`,
  svg: `<svg onload=${act}><a xlink:href="javascript:${act}"><text>x</text></a></svg>`,
  mail: `<html><body onload=${act} style="position:fixed;inset:0"><iframe srcdoc="<script>parent.${act}</script>"></iframe></body></html>`,
  url: `javascript:${act} https://evil.example/"onmouseover="${act} data:text/html,<script>${act}</script>`,
  params: `{{1}} {{contact.name}} \${${act}} {{constructor.constructor('${act}')()}} %s %00`,
  bidi: '\u202e\u2066evil\u2069\u2069\u202d \u200f\u202egpj.exe',
  zero: `a\u200d\u200b\u2060\ufeff${'b\u200d\u200c'.repeat(60)}`,
  emoji: `${'👩‍👩‍👧‍👦🏳️‍🌈🇴🇲'.repeat(15)}`,
  marks: `e${'\u0301'.repeat(120)}`,
  long: 'W'.repeat(400),
};
type Kind = keyof typeof corpus;
const kinds = Object.keys(corpus) as Kind[];
/** As much of it as a name of settings may have. */
const short = (kind: Kind) => [...corpus[kind]].slice(0, 90).join('').trim();

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({
  stages: kinds.map((kind) => ({ name: short(kind), emoji: '🏠' })),
  teams: kinds.map((kind) => ({ name: short(kind) })),
  closing_categories: kinds.map((kind) => ({ name: short(kind) })),
});
const owner = await joinWorkspace(majlis, workspace, { name: short('markup') });
const colleague = await joinWorkspace(majlis, workspace, { name: short('bidi'), role: 'agent' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

async function must(method: string, path: string, body?: object, by = owner): Promise<AnyJson> {
  const answer = await by.at(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const paths: string[] = [];
const conversations: string[] = [];
for (const kind of kinds) {
  const text = corpus[kind];
  await must('POST', '/custom-fields', { key: `field_${kind}`, label: short(kind), type: 'text' });
  await must('POST', '/canned-replies', {
    name: `reply-${kind}`,
    body: text.replaceAll(/\{\{.*?\}\}/g, ''),
    shared: true,
  });
  await must('POST', '/views', { name: short(kind), filter: {}, shared: true });
  await must('POST', '/api-keys', { name: short(kind), environment: 'test', scopes: [] });
  const endpoint = await must('POST', '/webhook-endpoints', {
    url: `https://hooks.example/${encodeURIComponent([...text].slice(0, 40).join(''))}${'W'.repeat(300)}?javascript:${act}`,
    events: ['message.received'],
  });
  if (kind === 'url') paths.push(`/webhooks/${endpoint.id}`);
  // The platform takes a few emoji, and no marks of parameters.
  const words = kind === 'emoji' ? '👩‍👩‍👧‍👦' : short(kind).replaceAll(/[{}%$]/g, '');
  const template = await must('POST', '/chatapp/templates', {
    name: `hostile_${kind}`,
    language: 'en',
    category: 'utility',
    components: [
      {
        type: 'body',
        text: `${words} {{1}} end of ${kind}`,
        examples: [short(kind) || 'x'],
      },
    ],
  });
  if (kind === 'url' || kind === 'bidi') paths.push(`/templates/${template.id}`);
}
const broadcast = await must('POST', '/broadcasts', {
  name: short('long'),
  template: { name: 'order_update', language: 'en' },
  audience: { recipients: [{ to: `+${newDigits()}`, params: [short('long'), 'A-1'] }] },
});
const definition = { trigger: 'api_call', steps: [{ do: 'end' }] };
const { workflow } = await must('POST', '/workflows', { name: short('long'), definition });
paths.push(`/broadcasts/${broadcast.id}`, `/workflows/${workflow.id}`);
for (const kind of kinds) {
  const text = corpus[kind];
  const digits = newDigits();
  await postNotification(majlis, workspace, {
    contacts: [{ profile: { name: text }, wa_id: digits }],
    messages: [platformText(digits, kind === 'long' ? `${text.repeat(25)}` : text)],
  });
  const [conversation] = await eventually(
    async () => {
      const { data } = await must('GET', '/conversations?limit=100');
      return data.filter(({ contact_handle }: AnyJson) => contact_handle === `+${digits}`) as AnyJson[];
    },
    (data) => data.length === 1,
  );
  const { id, contact_id } = conversation!;
  conversations.push(id);
  if (kind === 'long' || kind === 'bidi') paths.push(`/contacts/${contact_id}`, `/contact-consents/${contact_id}`);
  const tags = kinds.map(short);
  if (kind === 'long')
    tags.push(...Array.from({ length: 490 }, (_, n) => `${[...short(kinds[n % 10]!)].slice(0, 60).join('')} ${n}`));
  await must('POST', `/contacts/${contact_id}/edit`, {
    add_tags: tags,
    changes: { name: text, custom_fields: Object.fromEntries(kinds.map((one) => [`field_${one}`, corpus[one]])) },
  });
  const at = `/conversations/${id}`;
  // The file of a customer, with the name that they gave it.
  const file = await addPlatformFile(majlis, workspace, samples.html, {
    type: 'text/html',
    filename: `${text.slice(0, 150)}.html`,
  });
  await receive(digits, 'document', { id: file, filename: `${text.slice(0, 150)}.html`, caption: text });
  await receive(digits, 'location', { latitude: 23.5, longitude: 58.4, name: text, address: text });
  await must('POST', `${at}/messages`, { kind: 'text', body: text });
  await must('POST', `${at}/notes`, { body: `${text} @${short('bidi')}` });
  await must('PUT', `${at}/drafts/reply`, { body: text });
}
const [first, second] = conversations;
const { data: categories } = await must('GET', '/closing-categories');
await must('POST', `/conversations/${first}/close`, { category_id: categories[5].id, summary: corpus.bidi });
const { data: teams } = await must('GET', '/teams');
await must('POST', `/conversations/${second}/assign`, { team_id: teams[5].id, user_id: colleague.user_id });
const [channel] = (await must('GET', '/channels')).data;
paths.push(`/channels/${channel.id}`);

const atWork = ['', '?view=closed', '?view=mentions', ...conversations.map((id) => `/${id}`)].map(
  (end) => `/inbox${end}`,
);
const others = [
  'board',
  'contacts',
  'canned-replies',
  'members',
  'channels',
  'templates',
  'api-keys',
  'webhooks',
  'consent',
  'audit',
];
const all = [...atWork, ...others.map((place) => `/${place}`), ...paths];

/** Counts what the policy of the page has refused. */
const counter = `globalThis.violations = [];
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    violations.push([violatedDirective, blockedURI, sample].join(' ')));`;

/** What is wrong with a page as it stands: what ran, what was refused, what leads elsewhere, what is too wide, what turns others. */
const faults = `(() => {
  const found = [...violations];
  if (globalThis.ran !== undefined) found.push('a script has run');
  for (const one of document.querySelectorAll('a[href], iframe, object, embed, img[src], form[action]')) {
    const address = one.href ?? one.src ?? one.action ?? '';
    if (one.matches('iframe, object, embed')) found.push('has a ' + one.tagName);
    else if (!/^(https?|blob|tel|mailto):/.test(address)) found.push('leads to ' + address.slice(0, 80));
  }
  if (document.querySelector('main b, main script, main svg[onload]')) found.push('markup became elements');
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) {
    const wide = [...document.querySelectorAll('main *')].filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      return right > innerWidth + 1 || left < -1;
    });
    found.push(innerWidth + ' px: too wide by ' + over + ' ' + wide.slice(-3).map((one) => one.className).join(', '));
  }
  // A text with marks of direction stands alone in what isolates it.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.includes('\\u202e') || parentElement.closest('script, style, textarea')) continue;
    let place = parentElement;
    while (getComputedStyle(place).display.startsWith('inline') && !/isolate|plaintext/.test(getComputedStyle(place).unicodeBidi)) place = place.parentElement;
    const beside = place.textContent.replaceAll(data, '').trim();
    const isMessage = place.closest('[dir=auto]') !== null;
    if (beside !== '' && !isMessage) found.push('turns ' + JSON.stringify(beside.slice(0, 60)) + ' in ' + place.outerHTML.slice(0, 120));
  }
  return found;
})()`;

async function settle(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2):visible').first().waitFor();
  await eventually(
    () => page.locator('[class*=spinner], [data-skeleton], [aria-busy=true]').count(),
    (count) => count === 0,
  );
}

describe('texts of strangers', () => {
  for (const locale of languages) {
    it(`are texts on every screen, and hold its layout (${locale})`, async () => {
      const at = { url: majlis.url, member: owner, path: `/w/${workspace.id}/inbox`, script: counter };
      const { page, context, troubles } = await openSignedIn(pages, at, { locale });
      const wrong: Record<string, string[]> = {};
      const check = async (name: string) => {
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 800 });
          // The page has heard of its width, and is drawn with it.
          await eventually(
            () => page.evaluate('innerWidth'),
            (now) => now === width,
          );
          await drawn(page);
          const found = (await page.evaluate(faults)) as string[];
          if (found.length > 0) wrong[`${name} ${width}`] = [...new Set(found)];
        }
      };
      for (const path of all) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(`${majlis.url}/w/${workspace.id}${path}`);
        await settle(page);
        await check(path.replaceAll(/\w+_\w{26}/g, (id) => String(conversations.indexOf(id))));
      }
      // What opens over a conversation, and what is found.
      const openings: [string, (page: Page) => Promise<void>][] = [
        ['palette', (at) => at.keyboard.press('Control+k')],
        ['assign', (at) => at.keyboard.press('a')],
        ['close', (at) => at.keyboard.press('e')],
        ['shortcuts', (at) => at.keyboard.press('?')],
        ['search', (at) => at.getByRole('searchbox').fill('evil')],
        [
          'canned replies',
          async (at) => {
            await at.locator('section[data-mode] textarea').fill('');
            await at.locator('section[data-mode] textarea').fill('/reply');
            await at.getByRole('option').first().waitFor();
          },
        ],
      ];
      for (const [name, open] of openings) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversations[5]}`);
        await page.locator('section[data-mode] textarea:read-write').waitFor();
        await page.locator('article[data-id]').first().waitFor();
        await page.evaluate('document.activeElement?.blur()');
        const before = await page.locator('[role=menu], [role=dialog], [role=option], a[href*="message="]').count();
        await open(page);
        await eventually(
          () => page.locator('[role=menu], [role=dialog], [role=option], a[href*="message="]').count(),
          (count) => count > before,
        ).catch(() => assert.fail(`${name} does not open`));
        await check(name);
      }
      assert.deepEqual(wrong, {});
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
