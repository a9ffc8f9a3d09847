import { operations } from '@majlis/contract';
import { changeConversation, requireLockedConversation } from '../conversations/change/change-conversation.ts';
import { closeConversation } from '../conversations/change/close-conversation.ts';
import { actorOf } from '../conversations/change/record-changes.ts';
import { findConversation } from '../conversations/list/list-conversations.ts';
import { parseId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Answer } from '../http/idempotency/stored-answers.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { readRecipient } from './accept/read-recipient.ts';
import { type Send, sendMessages } from './accept/send-messages.ts';
import { sendSurveyMessage } from './accept/send-survey.ts';
import { toSend } from './accept/to-send.ts';
import { findMessage, listMessages } from './list-messages.ts';
import { addNote } from './notes/add-note.ts';
import { presentMessage } from './present.ts';
import type { NewMessage } from './queries.ts';

export function messageRoutes(serve: Serve, resources: Resources): void {
  const { pool, clock } = resources;

  async function answerAll(tx: Transaction, sends: (Send | Refusal)[]): Promise<(Answer | Refusal)[]> {
    const readable = sends.filter((send): send is Send => !(send instanceof Refusal));
    const results = (await sendMessages(tx, clock, readable)).values();
    return sends.map((send) => {
      const result = send instanceof Refusal ? send : results.next().value!;
      return result instanceof Refusal ? result : answerWith(result);
    });
  }

  serve.writeTogether(operations.sendMessage, (tx, requests) => {
    const sends = requests.map(({ caller, body }) => {
      const names = readRecipient(caller, body);
      return names instanceof Refusal ? names : toSend(caller, body, names, true);
    });
    return answerAll(tx, sends);
  });

  serve.writeTogether(operations.sendConversationMessage, (tx, requests) => {
    const sends = requests.map(({ caller, params, body }) => {
      const conversation_id = parseId('conversation', params.conversation_id);
      return conversation_id ? toSend(caller, body, { conversation_id }, false) : new Refusal('not_found');
    });
    return answerAll(tx, sends);
  });

  serve.read(operations.getMessage, async ({ caller, params }) => {
    const row = await findMessage(pool, caller.workspace_id, requireId('message', params.message_id));
    if (!row) throw new Refusal('not_found');
    return presentMessage(row);
  });

  serve.read(operations.listConversationMessages, async ({ caller: { workspace_id }, params, query }) => {
    const conversation_id = requireId('conversation', params.conversation_id);
    if (!(await findConversation(pool, workspace_id, conversation_id))) throw new Refusal('not_found');
    const page = await readPage(
      resources,
      { workspace_id, scope: `${operations.listConversationMessages.id} ${conversation_id}`, cursor: query.cursor },
      {
        fetch: (after, count) => listMessages(pool, workspace_id, conversation_id, { before: after?.[0], count }),
        positionOf: (row) => [row.id],
        present: presentMessage,
      },
    );
    return { ...page, data: page.data.reverse() };
  });

  serve.write(operations.addConversationNote, async (tx, { caller, params, body }) => {
    const conversation = await requireLockedConversation(tx, caller, params.conversation_id);
    const user_id = caller.user_id ?? undefined;
    return answerWith(await addNote(tx, clock, conversation, { body: body.body, user_id }));
  });

  // In this module rather than in `conversations`, because closing may send a message.
  serve.write(operations.closeConversation, (tx, request) =>
    changeConversation(tx, request, (conversation) => {
      const { category_id, summary, send_csat } = request.body;
      const closed_by = request.caller.user_id;
      const sendSurvey = async () => (send_csat ? sendSurveyMessage(tx, clock, conversation, closed_by) : null);
      const closing = { category_id, summary, closed_by, actor: actorOf(request.caller) };
      return closeConversation(tx, clock, conversation, closing, sendSurvey);
    }),
  );
}

function answerWith(message: NewMessage): Answer {
  const { conversation_id } = message;
  return { status: 201, body: presentMessage(message), about: { conversation_id } };
}
