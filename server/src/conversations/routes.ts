import { operations } from '@majlis/contract';
import { type IdKind, parseId } from '../database/ids.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
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

  serve.read(operations.listConversations, async ({ caller: { workspace_id }, query }) => {
    const { cursor, limit, ...filters } = query;
    const filter = readFilter(filters);
    const scope = JSON.stringify([operations.listConversations.id, filter]);
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      (position, count) => {
        const after = position && { last_message_at: position[0]!, id: position[1]! };
        return listConversations(pool, workspace_id, filter, { now: clock.now(), after, count });
      },
      (row) => [row.last_message_at.toISOString(), row.id],
    );
    return { ...page, data: page.data.map(presentConversation) };
  });

  serve.read(operations.getConversation, async ({ caller, params }) => {
    const id = parseId('conversation', params.conversation_id);
    const row = id && (await findConversation(pool, caller.workspace_id, id));
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

// An id that cannot be one names nothing, and so finds nothing.
const nobody = '00000000-0000-0000-0000-000000000000';

type FilterText = { [Name in keyof ConversationFilter]?: string } & Pick<ConversationFilter, 'status'>;

function readFilter(query: FilterText): ConversationFilter {
  const { status, assignee_id, channel_type, stage_id, contact_id, tag, q } = query;
  const named = (kind: IdKind, id: string | undefined) =>
    id === undefined ? undefined : (parseId(kind, id) ?? nobody);
  return {
    status,
    assignee_id: assignee_id === 'none' ? null : named('user', assignee_id),
    channel_type,
    stage_id: named('stage', stage_id),
    contact_id: named('contact', contact_id),
    tag,
    q,
  };
}
