import type { Api } from '@majlis/testing/api';
import type { Known } from './arbitrary-of.ts';

/** The ids that a workspace has, for members that name such a thing; the same for the whole run. */
export async function readKnownValues(api: Api): Promise<Known> {
  const idsOf = async (path: string): Promise<string[]> =>
    ((await api.get(path)).body.data ?? []).flatMap(({ id }: { id?: string }) => id ?? []);
  const conversations = await idsOf('/conversations');
  const messages = conversations[0] ? await idsOf(`/conversations/${conversations[0]}/messages`) : [];
  const contacts = await idsOf('/contacts');
  const users = await idsOf('/users');
  const byName: Record<string, readonly string[]> = {
    conversation_id: conversations,
    message_id: messages,
    reply_to_id: messages,
    contact_id: contacts,
    source_contact_id: contacts,
    channel_id: await idsOf('/channels'),
    template_id: await idsOf('/chatapp/templates'),
    user_id: users,
    assignee_id: [...users, 'none'],
    team_id: await idsOf('/teams'),
    to: ['+96891000001', '91000002', '+96891000003'],
    identifier: ['+96891000001', '91000002', '0096891000003', '٩١٠٠٠٠٠٤'],
    name: ['order_update', 'Muna'],
    language: ['en', 'ar'],
    tags: ['vip', 'retail'],
    tag: ['vip', 'retail'],
    from: ['2026-01-01', '2026-11-01'],
    until: ['2027-01-01T00:00:00Z'],
  };
  return (name) => byName[name] ?? [];
}
