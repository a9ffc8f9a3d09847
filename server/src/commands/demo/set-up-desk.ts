import { askOperator } from '../ask-operator.ts';
import type { Colleagues } from './colleagues.ts';
import type { DemoConversation } from './day.ts';
import type { DemoDay } from './demo-day.ts';
import { waitUntil } from './wait-until.ts';

const knowledge = [
  `Delivery

Delivery to Muscat takes two days and is free from OMR 100. Delivery to Salalah takes five days and costs OMR 8.
التوصيل إلى مسقط خلال يومين، وإلى صلالة خلال خمسة أيام بسعر 8 ر.ع.

Returns

Furniture can be returned within 14 days if it was not used. We collect it; the collection costs OMR 5.
يمكن إرجاع الأثاث خلال 14 يوماً إذا لم يستعمل.`,
  `Delivery abroad

Delivery to the Emirates takes six days; customs are included in the price.
The driver calls on the day before.`,
];

/** Gives the AI agent something to answer from, and waits until it is readable. */
export async function addKnowledge({ door, applied }: DemoDay, { ask }: Colleagues): Promise<void> {
  await Promise.all(knowledge.map((text) => ask('aisha', 'POST', '/ai/knowledge-sources', { type: 'text', text })));
  await waitUntil('the knowledge', async () => {
    const { data } = (await askOperator(door, 'GET', `/workspaces/${applied.workspace.id}/knowledge-sources`)) as {
      data: { status: string }[];
    };
    return data.every(({ status }) => status !== 'waiting');
  });
}

const cannedReplies = [
  {
    name: 'hours',
    language: 'en',
    body: 'Hello {{contact.first_name}}, we are open daily from 10 am to 10 pm, on Fridays from 4 pm.',
  },
  {
    name: 'delivery',
    language: 'en',
    body: 'Delivery in Muscat takes two days, {{contact.first_name}}. The driver calls half an hour before.',
  },
  {
    name: 'مواعيد',
    language: 'ar',
    body: 'حياك الله {{contact.first_name}}، نفتح يومياً من 10 صباحاً إلى 10 مساءً، والجمعة من 4 عصراً.',
  },
  { name: 'شكر', language: 'ar', body: 'شكراً لتواصلك معنا {{contact.first_name}}، يسعدنا خدمتك دائماً 🌷' },
];

/** What the team works with: canned replies, a shared view, a custom field. */
export async function addTools({ ask }: Colleagues): Promise<void> {
  const options = ['Al Khuwair', 'Muttrah', 'Seeb'];
  await ask('aisha', 'POST', '/custom-fields', {
    key: 'preferred_branch',
    label: 'Preferred branch',
    type: 'select',
    options,
  });
  await Promise.all(cannedReplies.map((reply) => ask('sara', 'POST', '/canned-replies', { ...reply, shared: true })));
  await ask('sara', 'POST', '/views', { name: 'Export', shared: true, filter: { status: 'open', tag: 'export' } });
}

/** What the business knows of a customer, in their contact. */
export async function writeContact(conversation: DemoConversation, { ask, find }: Colleagues): Promise<void> {
  const { contact, phone, language } = conversation;
  if (!(await find(conversation))) return;
  const identities = [{ channel_type: 'chatapp', identifier: phone }];
  await ask('aisha', 'POST', '/contacts', { identities, language, ...contact });
}
