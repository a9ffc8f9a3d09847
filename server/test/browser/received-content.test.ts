import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Locator } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

const open = (locale: string, place = '') =>
  openSignedIn(pages, { url: majlis.url, member: owner, path: `/w/${workspace.id}/inbox${place}` }, { locale });

/** A new customer of this name writes a message of a type of the platform. */
async function writes(name: string, type: string, content: object, more: object = {}): Promise<void> {
  const wa_id = newDigits();
  const message = { ...platformText(wa_id, ''), text: undefined, type, [type]: content, ...more };
  await postNotification(majlis, workspace, { contacts: [{ profile: { name }, wa_id }], messages: [message] });
}

/** The parts of a place in the order in which the language reads them: line by line, each from its start. */
const readOrder = (place: Locator, parts: string, isRightToLeft: boolean) =>
  place.locator(parts).evaluateAll((all, fromRight) => {
    const placed = all.map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() }));
    const at = ({ left, right }: { left: number; right: number }) => (fromRight ? -right : left);
    return placed
      .sort((one, other) => Math.round(one.box.top - other.box.top) || at(one.box) - at(other.box))
      .map(({ text }) => text);
  }, isRightToLeft);

const words = {
  en: {
    days: 'Sun and Mon',
    address: 'city: Muscat and way no: 12',
    none: 'No answer',
    yes: 'Yes',
    order: 'Order from the catalogue c77',
  },
  ar: {
    days: 'Sun وMon',
    address: 'city: Muscat وway no: 12',
    none: 'دون إجابة',
    yes: 'نعم',
    order: 'طلب من الكتالوج c77',
  },
};
const unreadable = {
  en: {
    poll: 'Cannot be shown here: poll',
    payment: 'Cannot be shown here: payment method',
    untold: 'Cannot be shown here',
    hint: 'Ask the contact to send it another way.',
  },
  ar: {
    poll: 'لا يمكن العرض هنا: استطلاع',
    payment: 'لا يمكن العرض هنا: payment method',
    untold: 'رسالة لا يمكن عرضها هنا',
    hint: 'اطلب من العميل إرسالها بطريقة أخرى.',
  },
};
const kinds = {
  en: { audio: 'Voice message', document: 'Document', image: 'Photo', video: 'Video' },
  ar: { audio: 'رسالة صوتية', document: 'مستند', image: 'صورة', video: 'فيديو' },
};

for (const locale of languages) {
  describe(`what a customer sent, in ${locale}`, () => {
    it('shows each answer of a form below its question', async () => {
      const given = {
        guest_count: '4',
        days: ['Sun', 'Mon'],
        'الاسم الكامل': 'منى السالمي',
        notes: 'A table outside,\nplease',
        newsletter: true,
        phone: '',
        flow_token: 'secret',
      };
      const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(given) };
      const { id, conversation_id } = await receive(newDigits(), 'interactive', { type: 'nfm_reply', nfm_reply });
      const { page, context, troubles } = await open(locale, `/${conversation_id}`);
      const bubble = page.locator(`article[data-id="${id}"]`);
      await bubble.getByText('Sent', { exact: true }).waitFor();
      const { days, none, yes } = words[locale];
      assert.deepEqual(await readOrder(bubble, 'dt, dd', locale === 'ar'), [
        ...['guest count', '4', 'days', days, 'الاسم الكامل', 'منى السالمي'],
        ...['notes', 'A table outside,\nplease', 'newsletter', yes, 'phone', none],
      ]);
      const directions = await bubble
        .locator('dt')
        .evaluateAll((all) => all.map((one) => one.ownerDocument.defaultView!.getComputedStyle(one).direction));
      assert.deepEqual(directions, ['ltr', 'ltr', 'rtl', 'ltr', 'ltr', 'ltr']);
      // What the console says for an answer stands where its question begins.
      const sides = await bubble
        .locator('div:has(> dt)', { hasText: 'newsletter' })
        .locator('dt, dd')
        .evaluateAll((all) =>
          all.map((one) => {
            const range = one.ownerDocument.createRange();
            range.selectNodeContents(one);
            return Math.round(range.getBoundingClientRect().left);
          }),
        );
      assert.equal(sides[0], sides[1]);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('reads an order from how many, by the product, to the price', async () => {
      const product = (product_retailer_id: string, quantity: number, item_price: number) => {
        return { product_retailer_id, quantity, item_price, currency: 'OMR' };
      };
      const product_items = [product('oud-1', 2, 9.5), product('1001', 3, 12), product('عود ملكي', 1, 30)];
      const order = { catalog_id: 'c77', text: 'ليوم الجمعة please', product_items };
      const { id, conversation_id } = await receive(newDigits(), 'order', order);
      const { page, context, troubles } = await open(locale, `/${conversation_id}`);
      const bubble = page.locator(`article[data-id="${id}"]`);
      await bubble.getByText(words[locale].order).waitFor();
      await bubble.getByText('ليوم الجمعة please').waitFor();
      assert.deepEqual(await readOrder(bubble, 'li > *', locale === 'ar'), [
        ...['2 ×', 'oud-1', '9.5 OMR'],
        ...['3 ×', '1001', '12 OMR'],
        ...['1 ×', 'عود ملكي', '30 OMR'],
      ]);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('tells the answers of a form in the list as people read them', async () => {
      const given = { guest_count: '4', week_days: ['Sun', 'Mon'], address: { city: 'Muscat', way_no: 12 } };
      const nfm_reply = { name: 'flow', response_json: JSON.stringify(given) };
      await writes(`Form in ${locale}`, 'interactive', { type: 'nfm_reply', nfm_reply });
      const long = Array.from({ length: 40 }, (_, n) => `entry ${n}`);
      const cut = { name: 'flow', response_json: JSON.stringify({ long }) };
      await writes(`Cut answers in ${locale}`, 'interactive', { type: 'nfm_reply', nfm_reply: cut });
      const { page, context } = await open(locale);
      const said = (name: string) =>
        page.locator('main li a[data-id]', { hasText: name }).locator('[class*=preview] > bdi').textContent();
      const { days, address } = words[locale];
      assert.equal(
        (await said(`Form in ${locale}`))?.replace(/[\u2068\u2069]/g, ''),
        `guest count: 4 week days: ${days} address: ${address}`,
      );
      assert.match((await said(`Cut answers in ${locale}`)) ?? '', /^long: entry 0, entry 1, [^"[\]{}]+$/);
      await context.close();
    });

    it('names the kind of a file in the list', async () => {
      for (const type of Object.keys(kinds[locale])) await writes(`${type} of ${locale}`, type, { id: newDigits() });
      const { page, context } = await open(locale);
      for (const [type, word] of Object.entries(kinds[locale])) {
        const row = page.locator('main li a[data-id]', { hasText: `${type} of ${locale}` });
        await row.getByText(word, { exact: true }).waitFor();
        assert.equal(await row.locator('[class*=preview] > svg').count(), 1, type);
      }
      await context.close();
    });

    it('says of what it cannot show its type, in the list and in the conversation', async () => {
      const errors = [{ code: 131051, title: 'Message type unknown' }];
      const said = unreadable[locale];
      await writes(`Poll in ${locale}`, 'unsupported', { type: 'poll' }, { errors });
      await writes(`Payment in ${locale}`, 'interactive', { type: 'payment_method' });
      await writes(`Untold in ${locale}`, 'unsupported', {}, { errors });
      await writes(`Typed in ${locale}`, 'text', { body: '[poll] of ours' });
      const { page, context, troubles } = await open(locale);
      const row = (name: string) => page.locator('main li a[data-id]', { hasText: `${name} in ${locale}` });
      await row('Payment').getByText(said.payment, { exact: true }).waitFor();
      await row('Untold').getByText(said.untold, { exact: true }).waitFor();
      await row('Typed').getByText('[poll] of ours', { exact: true }).waitFor();
      await row('Poll').getByText(said.poll, { exact: true }).waitFor();
      await row('Poll').click();
      const bubble = page.locator('article[data-id]');
      await bubble.getByText(said.poll, { exact: true }).waitFor();
      await bubble.getByText(said.hint, { exact: true }).waitFor();
      assert.equal(await bubble.getByText('Message type unknown').count(), 0);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('keeps the lines of a text apart where the list has one line', async () => {
      await writes(`Lines in ${locale}`, 'text', { body: 'طلبي:\n2 × oud 9.5 OMR\n3 × musk 12 OMR' });
      const { page, context } = await open(locale);
      const text = page.locator('main li a[data-id]', { hasText: `Lines in ${locale}` }).getByText('طلبي');
      await text.waitFor();
      // Where the figures of each product stand: those of a line from left to right, whatever is around it.
      const places = await text.evaluate((one) => {
        const node = one.firstChild!;
        const range = one.ownerDocument.createRange();
        return ['2', '9', '3', '12'].map((figure) => {
          const from = node.textContent!.indexOf(figure);
          range.setStart(node, from);
          range.setEnd(node, from + 1);
          return range.getBoundingClientRect().left;
        });
      });
      const [two, nine, three, twelve] = places as [number, number, number, number];
      assert.ok(three < twelve && twelve < two && two < nine, `${places}`);
      await context.close();
    });
  });
}
