import type { FastifyInstance } from 'fastify';
import { type AddressBookEntry, shareAddressBook, shareHistory } from '../customer/phone-app.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { World } from '../world/world.ts';
import { ControlError, getNumber } from './control-error.ts';

type IdRoute = { Params: { id: string } };

/** What the phone app of a number shares with the business's service. */
export function phoneAppControl(app: FastifyInstance, world: World, sender: Sender): void {
  app.post<IdRoute & { Body: { declines?: boolean; chunk_size?: number } | undefined }>(
    '/numbers/:id/history',
    async ({ params, body }) => {
      const number = getNumber(world, params.id);
      const { chunk_size = 50, declines = false } = body ?? {};
      if (!Number.isInteger(chunk_size) || chunk_size < 1) throw new ControlError(400, 'chunk_size must be 1 or more');
      return { chunks: shareHistory(world, sender, number, { declines, chunk_size }) };
    },
  );
  app.post<IdRoute & { Body: { entries?: AddressBookEntry[] } }>(
    '/numbers/:id/address-book',
    async ({ params, body }) => {
      const number = getNumber(world, params.id);
      const { entries } = body;
      if (!Array.isArray(entries) || entries.some(({ phone }) => typeof phone !== 'string')) {
        throw new ControlError(400, 'entries must be a list of phone, name and action');
      }
      shareAddressBook(world, sender, number, entries);
      return { success: true };
    },
  );
}
