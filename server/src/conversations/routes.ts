import { operations } from '@majlis/contract';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { assignConversation } from './change/assign-conversation.ts';
import { changeConversation } from './change/change-conversation.ts';
import { handOverConversation } from './change/hand-over-conversation.ts';
import { actorOf } from './change/record-changes.ts';
import { reopenConversation } from './change/reopen-conversation.ts';
import { setConversationStage } from './change/set-conversation-stage.ts';
import { snoozeConversation } from './change/snooze-conversation.ts';
import { findConversation, listConversations } from './list/list-conversations.ts';
import { readFilter } from './list/read-filter.ts';
import { presentConversation } from './present.ts';

export function conversationRoutes(serve: Serve, resources: Resources): void {
  const { pool, clock } = resources;

  serve.read(operations.listConversations, async ({ caller, query }) => {
    const { workspace_id } = caller;
    const { cursor, limit, ...filters } = query;
    const filter = readFilter(filters, caller);
    const scope = JSON.stringify([operations.listConversations.id, filter]);
    return readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        async fetch(position, count) {
          if (!filter) return [];
          const after = position && { last_message_at: position[0]!, id: position[1]! };
          return listConversations(pool, workspace_id, filter, { now: clock.now(), after, count });
        },
        positionOf: (row) => [row.last_message_at.toISOString(), row.id],
        present: presentConversation,
      },
    );
  });

  serve.read(operations.getConversation, async ({ caller, params }) => {
    const id = requireId('conversation', params.conversation_id);
    const row = await findConversation(pool, caller.workspace_id, id);
    if (!row) throw new Refusal('not_found');
    return presentConversation(row);
  });

  serve.write(operations.assignConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) =>
      assignConversation(tx, clock, conversation, request.body, actorOf(request.caller)),
    ),
  );
  serve.write(operations.reopenConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) =>
      reopenConversation(tx, clock, conversation, actorOf(request.caller)),
    ),
  );
  serve.write(operations.setConversationStage, (tx, request) =>
    changeConversation(tx, request, (conversation) =>
      setConversationStage(tx, clock, conversation, request.body, actorOf(request.caller)),
    ),
  );
  serve.write(operations.handOverConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) =>
      handOverConversation(tx, clock, conversation, request.body, actorOf(request.caller)),
    ),
  );
  serve.write(operations.snoozeConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) =>
      snoozeConversation(tx, clock, conversation, request.body, actorOf(request.caller)),
    ),
  );
}
