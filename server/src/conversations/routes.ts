import { operations } from '@majlis/contract';
import { readFilterId } from '../database/ids.ts';
import type { Caller } from '../http/authenticate.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { assignConversation } from './change/assign-conversation.ts';
import { changeConversation } from './change/change-conversation.ts';
import { handOverConversation } from './change/hand-over-conversation.ts';
import { reopenConversation } from './change/reopen-conversation.ts';
import { setConversationStage } from './change/set-conversation-stage.ts';
import { snoozeConversation } from './change/snooze-conversation.ts';
import type { ConversationFilter } from './list/conversation-filter.ts';
import { findConversation, listConversations } from './list/list-conversations.ts';
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
    changeConversation(tx, request, (conversation) => assignConversation(tx, conversation, request.body)),
  );
  serve.write(operations.reopenConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) => reopenConversation(tx, clock, conversation)),
  );
  serve.write(operations.setConversationStage, (tx, request) =>
    changeConversation(tx, request, (conversation) => setConversationStage(tx, clock, conversation, request.body)),
  );
  serve.write(operations.handOverConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) => handOverConversation(tx, clock, conversation, request.body)),
  );
  serve.write(operations.snoozeConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) => snoozeConversation(tx, clock, conversation, request.body)),
  );
}

type FilterText = { [Name in keyof ConversationFilter]?: string } & Pick<ConversationFilter, 'status'>;

/** Undefined where a text of the filter cannot be an id: then no conversation matches. */
function readFilter(query: FilterText, { user_id, own_teams_only }: Caller): ConversationFilter | undefined {
  const isUnassigned = query.assignee_id === 'none';
  const assignee_id = readFilterId('user', isUnassigned ? undefined : query.assignee_id);
  const stage_id = readFilterId('stage', query.stage_id);
  const contact_id = readFilterId('contact', query.contact_id);
  if (assignee_id === null || stage_id === null || contact_id === null) return undefined;
  const { status, channel_type, tag, q } = query;
  const visible_to = own_teams_only ? (user_id ?? undefined) : undefined;
  return {
    status,
    assignee_id: isUnassigned ? null : assignee_id,
    channel_type,
    stage_id,
    contact_id,
    tag,
    q,
    visible_to,
  };
}
