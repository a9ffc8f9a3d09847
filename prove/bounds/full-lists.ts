import type { Api } from '@majlis/testing/api';
import type { Quotas } from '../../server/src/process/quotas.ts';
import type { BoundedRequest } from './bounded-requests.ts';

const optionsOfField = 1_000;

/** As many tags as fit in an import of 1,000 contacts. */
const tagsOfRow = 190;

/**
 * Fills a workspace to its quotas of custom fields and tags, and answers the largest valid requests: the lists without pages, the write
 * of a contact that names an option of each field, and imports that give and change tags.
 */
export async function fillLists(api: Api, { custom_fields, tags }: Quotas): Promise<BoundedRequest[]> {
  const values: Record<string, string> = {};
  for (let n = 0, bytes = 0; ; n++) {
    const options = Array.from({ length: optionsOfField }, (_, m) => `option ${m} of ${n} "${'\u20ac'.repeat(10)}"`);
    const field = { key: `field ${n}`, type: 'select', options };
    bytes += Buffer.byteLength(JSON.stringify(field)) + 200;
    if (bytes > custom_fields.bytes) break;
    await make(api, '/custom-fields', field);
    values[field.key] = options.at(-1)!;
  }
  // Half of them, because other requests bring tags too.
  const names = Array.from({ length: Math.floor(tags.count / 2) }, (_, n) => `tag number ${n}`);
  const rows = Array.from({ length: 1_000 }, (_, n) => ({
    identities: [{ channel_type: 'instagram', identifier: `full${n}` }],
    tags: names.filter((_, m) => m % 1_000 === n),
  }));
  await make(api, '/contacts/import', { contacts: rows });
  const lists = ['/v1/custom-fields', '/v1/tags', '/v1/stages', '/v1/chatapp/templates', '/v1/webhook-endpoints'];
  const contact = { identities: [{ channel_type: 'instagram', identifier: 'fields' }], custom_fields: values };
  return [
    ...lists.map((path) => ({ title: `the full list ${path}`, method: 'GET', path })),
    {
      ...{ title: 'a contact with all custom fields', method: 'POST', path: '/v1/contacts' },
      body: JSON.stringify(contact),
    },
    ...['given', 'changed', 'changed again'].map((title) => importOf(title)),
  ];
}

/** The same people each time, so that the first import creates them. */
function importOf(title: string): BoundedRequest {
  const tags = Array.from({ length: tagsOfRow }, (_, n) => `${title} ${n}`);
  const contacts = Array.from({ length: 1_000 }, (_, n) => ({
    identities: [{ channel_type: 'instagram', identifier: `tagged${n}` }],
    tags,
  }));
  const path = '/v1/contacts/import';
  return { title: `190,000 tags, ${title}`, method: 'POST', path, body: JSON.stringify({ contacts }) };
}

async function make(api: Api, path: string, body: object): Promise<void> {
  const { status, text } = await api.post(path, body);
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
}
