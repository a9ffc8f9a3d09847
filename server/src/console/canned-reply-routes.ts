import { type CannedReply, consoleOperations } from '@majlis/console-api';
import { countReplyUse } from '../analytics/count-use.ts';
import type { Transaction } from '../database/transaction.ts';
import { readPage } from '../http/page.ts';
import {
  changeCannedReply,
  createCannedReply,
  deleteCannedReply,
  findReply,
  listCannedReplies,
  presentCannedReply,
} from '../inbox/canned-replies.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';
import { writeOnce } from './write-once.ts';

export function cannedReplyRoutes(serve: ServeConsole, resources: Resources): void {
  const { config, pool, clock } = resources;

  serve(consoleOperations.listCannedReplies, async ({ caller, query }) => {
    const { cursor, limit, ...filter } = query;
    const { workspace_id, user_id } = caller;
    const scope = JSON.stringify([consoleOperations.listCannedReplies.id, user_id, filter]);
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        fetch(position, count) {
          const after = position && { name_key: position[0]!, id: position[1]! };
          return listCannedReplies(pool, caller, filter, { after, count });
        },
        positionOf: (row) => [row.name_key, row.id],
        present: presentCannedReply,
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.createCannedReply, async ({ caller, body, key }) =>
    writeOnce(resources, { caller, key }, async (tx) => {
      const created = await createCannedReply(tx, clock, caller, body, config.quotas);
      await record(tx, caller, 'createCannedReply', created);
      return { status: 201, body: created };
    }),
  );

  serve(consoleOperations.changeCannedReply, async ({ caller, params, body }) => {
    const reply = await transactionOf(caller, pool, async (tx) => {
      const changed = await changeCannedReply(tx, caller, params.canned_reply_id, body, config.quotas);
      await record(tx, caller, 'changeCannedReply', changed);
      return changed;
    });
    return { status: 200, body: reply };
  });

  serve(consoleOperations.getCannedReplyUse, async ({ caller, params }) => {
    const reply = await findReply(pool, caller, params.canned_reply_id);
    return { status: 200, body: await countReplyUse(pool, caller.workspace_id, reply) };
  });

  serve(consoleOperations.deleteCannedReply, async ({ caller, params }) => {
    await transactionOf(caller, pool, async (tx) => {
      await record(tx, caller, 'deleteCannedReply', await deleteCannedReply(tx, caller, params.canned_reply_id));
    });
    return { status: 204 };
  });

  type Action = 'createCannedReply' | 'changeCannedReply' | 'deleteCannedReply';

  /** A canned reply of the person alone is nobody else's business. */
  async function record(tx: Transaction, caller: PersonCaller, action: Action, reply: CannedReply): Promise<void> {
    const targets = { canned_reply_id: reply.id };
    if (reply.shared) await recordActs(tx, clock, [toAct(caller, action, targets, { name: reply.name })]);
  }
}
