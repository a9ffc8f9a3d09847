import type { FastifyInstance } from 'fastify';
import { hasOpenWindow } from '../world/chats.ts';
import type { Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { authenticate, numberFor } from './authenticate.ts';
import { asyncError } from './error-codes.ts';
import { GraphError, missingParameter } from './graph-error.ts';
import { isRecord } from './is-record.ts';
import { pageList } from './page-list.ts';
import { readJson } from './read-body.ts';

type Outcome = { input: string; wa_id: string };

/** Blocks users (section 3): no webhook reports their messages. */
export function blockRoutes(app: FastifyInstance, world: World): void {
  app.route<{ Params: { id: string }; Querystring: { limit?: string; after?: string } }>({
    method: ['GET', 'POST', 'DELETE'],
    url: '/:id/block_users',
    handler: async (request) => {
      const token = authenticate(world, request.headers.authorization);
      const number = numberFor(world, token, request.params.id, request.method);
      if (request.method === 'GET') {
        const blocked = [...number.blocked].map((wa_id) => ({ messaging_product: 'whatsapp', wa_id }));
        return pageList(blocked, request.query, `${world.url}${request.url}`);
      }
      const users = usersOf(readJson(request.body));
      return request.method === 'POST' ? block(world, number, users) : unblock(number, users);
    },
  });
}

function usersOf({ block_users }: Dict): string[] {
  if (!Array.isArray(block_users) || block_users.length === 0) throw missingParameter('block_users');
  return block_users.map((one) => {
    const user = isRecord(one) ? (one.user ?? one.user_id) : undefined;
    if (typeof user !== 'string') throw missingParameter("block_users[]['user']");
    return user;
  });
}

/** Only users who wrote within 24 hours can be blocked; one failure makes the answer a refusal. */
function block(world: World, number: BusinessNumber, users: string[]): Dict {
  const added_users: Outcome[] = [];
  const failed_users: Dict[] = [];
  for (const input of users) {
    const wa_id = input.replace(/\D/g, '');
    if (hasOpenWindow(world.conversations.get(number.phone_number_id, wa_id), world.now())) {
      number.blocked.add(wa_id);
      added_users.push({ input, wa_id });
    } else failed_users.push({ input, wa_id, errors: [asyncError(131047, 'Re-engagement message')] });
  }
  const block_users = { added_users, ...(failed_users.length > 0 && { failed_users }) };
  if (failed_users.length === 0) return { messaging_product: 'whatsapp', block_users };
  throw new GraphError(139100, {
    error_data: { messaging_product: 'whatsapp', details: 'Some users could not be blocked.', block_users },
  });
}

function unblock(number: BusinessNumber, users: string[]): Dict {
  const removed_users = users.map((input) => ({ input, wa_id: input.replace(/\D/g, '') }));
  for (const { wa_id } of removed_users) number.blocked.delete(wa_id);
  return { messaging_product: 'whatsapp', block_users: { removed_users } };
}
