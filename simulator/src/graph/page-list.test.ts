import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '@majlis/testing/fast-check';
import type { GraphError } from './graph-error.ts';
import { pageList, pickFields } from './page-list.ts';

type Page = { data: { id: string }[]; paging?: { cursors: { after: string; before: string }; next?: string } };

const address = 'http://127.0.0.1/v24.0/1/message_templates';
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index) }));

test('gives every item once when all pages are followed', () => {
  fc.assert(
    fc.property(fc.nat(80), fc.integer({ min: 1, max: 30 }), (count, limit) => {
      const all = items(count);
      const seen: string[] = [];
      let url: string | undefined = `${address}?limit=${limit}`;
      while (url !== undefined) {
        const page = pageList(all, Object.fromEntries(new URL(url).searchParams), url) as Page;
        assert.ok(page.data.length <= limit);
        seen.push(...page.data.map((item) => item.id));
        url = page.paging?.next;
      }
      assert.deepEqual(
        seen,
        all.map((item) => item.id),
      );
    }),
  );
});

test('holds 25 items when no limit is given', () => {
  assert.equal((pageList(items(60), {}, address) as Page).data.length, 25);
});

test('goes back by the cursor `before`', () => {
  const all = items(10);
  const second = pageList(
    all,
    { limit: '3', after: (pageList(all, { limit: '3' }, address) as Page).paging!.cursors.after },
    address,
  );
  const back = pageList(all, { limit: '3', before: (second as Page).paging!.cursors.before }, address) as Page;
  assert.deepEqual(
    back.data.map((item) => item.id),
    ['0', '1', '2'],
  );
});

test('refuses a cursor that it did not make with 131059', () => {
  assert.throws(
    () => pageList(items(3), { after: 'nonsense' }, address),
    (error: GraphError) => error.code === 131059,
  );
});

test('selects the fields asked for and always the id', () => {
  const resource = { id: '1', name: 'a', status: 'B', secret: 'c' };
  assert.deepEqual(pickFields(resource, 'status', ['name']), { status: 'B', id: '1' });
  assert.deepEqual(pickFields(resource, undefined, ['name']), { name: 'a', id: '1' });
});
