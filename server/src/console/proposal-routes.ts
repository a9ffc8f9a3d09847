import { consoleOperations } from '@majlis/console-api';
import { readFilterId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { acceptProposal, type Decision, refuseProposal } from '../proposals/decide-proposal.ts';
import { presentProposal } from '../proposals/present.ts';
import { countWaitingProposals, listWaitingProposals, requireProposal } from '../proposals/read-proposals.ts';
import { readRunLimits } from '../workflows/run/limit-runs.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** The queue of what AI agents and workflows propose, and people's decisions. */
export function proposalRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock, config } = resources;
  const context = { clock, limits: readRunLimits(config) };

  serve(consoleOperations.listProposals, async ({ caller, query }) => {
    const { cursor, limit, conversation_id } = query;
    const { workspace_id } = caller;
    const scope = JSON.stringify([consoleOperations.listProposals.id, conversation_id]);
    const of = readFilterId('conversation', conversation_id);
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        async fetch(after, count) {
          // No conversation has an id that cannot be read.
          if (of === null) return [];
          return listWaitingProposals(pool, caller, { conversation_id: of ?? null, after: after?.[0], count });
        },
        positionOf: ({ id }) => [id],
        present: presentProposal,
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.countProposals, async ({ caller }) => ({
    status: 200,
    body: { waiting: await countWaitingProposals(pool, caller) },
  }));

  serve(consoleOperations.getProposal, async ({ caller, params }) => ({
    status: 200,
    body: presentProposal(await requireProposal(pool, caller, params.proposal_id)),
  }));

  serve(consoleOperations.acceptProposal, async ({ caller, params: { proposal_id }, body }) =>
    // A refusal that comes with the end of the proposal is thrown after the commit.
    orThrow(
      await transactionOf(caller, pool, async (tx) => {
        const decision = await acceptProposal(tx, context, caller, { proposal_id, text: body.text });
        return decision instanceof Refusal ? decision : answer(tx, caller, 'acceptProposal', decision);
      }),
    ),
  );

  serve(consoleOperations.refuseProposal, async ({ caller, params: { proposal_id }, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const decision = await refuseProposal(tx, context, caller, { proposal_id, reason: body.reason });
      return answer(tx, caller, 'refuseProposal', decision);
    }),
  );

  async function answer(
    tx: Transaction,
    caller: PersonCaller,
    action: 'acceptProposal' | 'refuseProposal',
    { row, is_changed }: Decision,
  ) {
    const body = presentProposal(row);
    if (is_changed) {
      const { id: proposal_id, conversation_id, is_edited } = body;
      const details = { proposed_by: body.proposed_by.id, action: body.action, is_edited };
      await recordActs(tx, clock, [toAct(caller, action, { conversation_id, proposal_id }, details)]);
    }
    return { status: 200 as const, body };
  }
}

function orThrow<Answer>(answer: Answer | Refusal): Answer {
  if (answer instanceof Refusal) throw answer;
  return answer;
}
