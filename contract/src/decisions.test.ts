import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const page = await readFile(new URL('../../docs/decisions.md', import.meta.url), 'utf8');

/** The rows of the page's tables. A cell escapes a vertical bar by a backslash. */
const decisions = [...page.matchAll(/^\| (.*) \|$/gm)]
  .map(([, row]) => row!.split(/(?<!\\) \| /))
  .filter(([open]) => open !== 'Open' && open !== '---');

/** Every point that the contract marks "not shown", in its order, one entry for each field. */
const notShown = [
  'Allowed values of message `direction`',
  'Allowed values of message `actor_kind`',
  'Allowed values of quality ratings',
  'Allowed values of channel `status`',
  'Allowed values of user `role`',
  'Allowed values of user `status`',
  'Allowed values of AI agent `status`',
  'Allowed values of contact `dialect`',
  'Allowed values of summary `sentiment` and `intent`',
  'Item structure of `interactive.buttons`',
  'Keys of `consents` other than `chatapp_marketing`',
  'Length and format limits of identifiers, names, tags and bodies',
  "Structure of a template's review history returned on retrieval",
  'From which states `failed` can be entered',
  'resulting state name not shown (snooze)',
  'Moves among `draft`, `pending`, `approved`, `rejected`, `paused`, `disabled` after creation',
  'Restrictions on which change is allowed (workflow status)',
  'other run statuses (besides `running`)',
  'Status names and transitions of broadcasts',
  'Behavior when both `to` and `contact_id` are given, or `to` is absent with `contact_id`',
  'Country code assumed for a local 8-digit number',
  'Payload sent by the test call',
  'Whether list endpoints without a `cursor` parameter are paged',
  'Default and maximum `limit`',
  'Full list of scopes and which endpoint needs which scope',
  'Response when a scope is missing',
  'Key creation, revocation or expiry through the API',
  'Behavioral difference between test and live keys',
  'Event types other than the three named',
  'Shape of `data` for `template.status_updated`',
  'Error body fields other than `code`',
  'Codes of the 401, 404, 413 and 422 bodies',
  'Status codes of `template_not_found` and `media_not_found`',
  'Error lists for endpoints not listed above',
  'Maximum page size',
  'Maximum lengths of text bodies, names, tags and params',
  'Behavior when the wallet balance is exhausted',
  'Number of webhook endpoints per workspace',
  'How a client selects or pins an `api_version`',
  'Deprecation and compatibility policy',
];

test('every point that the contract does not show has a decision', () => {
  const open = new Set(decisions.map(([point]) => point));
  assert.deepEqual(
    notShown.filter((point) => !open.has(point)),
    [],
  );
});

test('no point is decided twice, and every decision has a choice and a reason', () => {
  assert.equal(new Set(decisions.map(([point]) => point)).size, decisions.length);
  for (const [point, chosen, because, ...more] of decisions) {
    assert.notEqual(point, '');
    assert.match(chosen ?? '', /\.$/, point);
    assert.match(because ?? '', /\.$/, point);
    assert.deepEqual(more, [], point);
  }
});
