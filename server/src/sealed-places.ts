import { sealedChannels } from './channels/sealed-channels.ts';
import { sealedReceiptKeys } from './contacts/erase/receipts/receipt-keys.ts';
import { countNotificationsOfOldKeys } from './inbound/count-notifications.ts';
import { countInvitationsOfOldKeys } from './people/mail-links.ts';
import { sealedPeople } from './people/sealed-people.ts';
import type { SealedPlaces } from './secrets/sealed-rows.ts';
import { sealedEndpoints } from './webhook-endpoints/sealed-endpoints.ts';
import { sealedWorkflows } from './workflows/definition/sealed-workflows.ts';

/** All modules that store sealed values. */
export const sealedPlaces: SealedPlaces = {
  rows: [sealedChannels, sealedEndpoints, sealedPeople, sealedWorkflows, sealedReceiptKeys],
  async countWaiting(connection, secretBox) {
    return (await countInvitationsOfOldKeys(connection, secretBox)) + (await countNotificationsOfOldKeys(connection));
  },
};
