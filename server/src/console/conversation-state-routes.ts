import { consoleOperations } from '@majlis/console-api';
import { changeConversation } from '../conversations/change/change-conversation.ts';
import { restoreConversation } from '../conversations/change/restore-conversation.ts';
import { listClosingCategories } from '../conversations/closing-categories.ts';
import { readConversationState } from '../conversations/read-conversation-state.ts';
import { publicId } from '../database/ids.ts';
import { listConversationDrafts } from '../inbox/drafts.ts';
import { readSendGate } from '../messages/accept/read-send-gate.ts';
import { listScheduled } from '../messages/scheduled/list-scheduled.ts';
import { recordActs } from '../people/audit.ts';
import type { Resources } from '../process/resources.ts';
import { listProposalsOf } from '../proposals/read-proposals.ts';
import type { ServeConsole } from './serve-console.ts';
import { writeOnce } from './write-once.ts';

export function conversationStateRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock } = resources;

  serve(consoleOperations.listClosingCategories, async ({ caller }) => {
    const categories = await listClosingCategories(pool, caller.workspace_id);
    const data = categories.map(({ id, name }) => ({ id: publicId('closing_category', id), name }));
    return { status: 200, body: { data } };
  });

  serve(consoleOperations.getConversationState, async ({ caller, params }) => ({
    status: 200,
    body: await readConversationState(pool, clock, caller, params.conversation_id),
  }));

  serve(consoleOperations.getConversationOpening, async ({ caller, params: { conversation_id } }) => {
    const [state, gate, drafts, scheduled, proposals] = await Promise.all([
      readConversationState(pool, clock, caller, conversation_id),
      readSendGate(resources, caller, conversation_id),
      listConversationDrafts(pool, caller, conversation_id),
      listScheduled(pool, caller, conversation_id),
      listProposalsOf(pool, caller, conversation_id),
    ]);
    return { status: 200, body: { state, gate, drafts, scheduled, proposals } };
  });

  serve(consoleOperations.restoreConversation, async ({ caller, params: { conversation_id }, body, key }) => {
    const { workspace_id, user_id, address } = caller;
    return writeOnce(resources, { caller, key }, async (tx) => {
      const answer = await changeConversation(tx, { caller, params: { conversation_id } }, (conversation) =>
        restoreConversation(tx, clock, conversation, user_id, body),
      );
      const act = { workspace_id, user_id, action: consoleOperations.restoreConversation.id, address };
      await recordActs(tx, clock, [{ ...act, targets: { conversation_id }, details: body }]);
      return answer;
    });
  });
}
