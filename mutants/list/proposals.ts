import { faultsIn } from '../fault.ts';

const ofAgents = ['server/test/proposals.test.ts'];
const ofRuns = ['server/test/proposals.workflows.test.ts'];

export const faults = [
  ...faultsIn('server/src/proposals/decide-proposal.ts', ofAgents, [
    ["return proposal.state === 'waiting' ? proposal : undefined;", 'return proposal;', 'a proposal is accepted twice'],
    [
      'row.state === wanted && row.decided_by === person.user_id',
      'row.state === wanted',
      'the slower of two people takes the decision for their own',
    ],
    [
      'const by = is_edited ? { user_id: person.user_id } : undefined;',
      'const by = undefined;',
      'the words of a person go out in the name of the agent',
    ],
    [
      "bot: { kind: 'ai_agent', id, needs_control: true },",
      '',
      'the gate takes an accepted answer for the message of another',
    ],
    [
      'if (message instanceof Refusal) throw message;',
      "if (message instanceof Refusal) return '';",
      'a refusal at the yes ends the proposal',
    ],
    [
      'if (run) await enqueueJobs(tx, [continueRunJob',
      'if (!run) await enqueueJobs(tx, [continueRunJob',
      'a run waits on after a no',
      ofRuns,
    ],
  ]),
  ...faultsIn('server/src/proposals/read-proposals.ts', ofAgents, [
    [
      'await refuseHidden(connection, viewer, { conversation_id: row.conversation_id });',
      '',
      'a limited person reads a hidden proposal by its id',
      ['server/test/limited-rights-matrix.test.ts'],
    ],
    [
      "const visible = `($2::uuid is null or ${isOf('$2', 'c')})`;",
      "const visible = `($2::uuid is null or ${isOf('$2', 'c')} or true)`;",
      'a limited person reads the proposals of others',
    ],
    [
      'and ($4::uuid is null or p.id > $4)',
      'and ($4::uuid is null or p.id >= $4)',
      'a page of the queue begins with the end of the one before',
    ],
  ]),
  ...faultsIn('server/src/automation/proposals.ts', ofAgents, [
    [
      "where workspace_id = $1 and conversation_id = $2 and state = 'waiting' and ai_agent_id is not null`",
      "where workspace_id = $1 and conversation_id = $2 and state = 'none' and ai_agent_id is not null`",
      'an answer of an agent waits on after a takeover',
    ],
    [
      "and p.state = 'waiting'`);\n\n/** Ends all waiting proposals to a blocked",
      "and p.state = 'none'`);\n\n/** Ends all waiting proposals to a blocked",
      'a proposal to a blocked contact waits on',
    ],
    [
      'update proposals p set conversation_id = m.to_id',
      'update proposals p set conversation_id = p.conversation_id',
      'a proposal stays in the conversation that a merge left',
      ofRuns,
    ],
    [
      "from ended e join workflow_runs r on r.workspace_id = $1 and r.id = e.run_id and r.status = 'running'",
      "from ended e join workflow_runs r on r.workspace_id = $1 and r.id = e.run_id and r.status = 'failed'",
      'a run beside people waits on for a proposal that the close has ended',
      ofRuns,
    ],
  ]),
  ...faultsIn('server/src/automation/enqueue-answers.ts', ofAgents, [
    [
      "and p.conversation_id = w.conversation_id and p.state = 'waiting'",
      "and p.conversation_id = w.conversation_id and p.state = 'none'",
      'the customer has written again, and the old answer can be sent',
    ],
  ]),
  ...faultsIn('server/src/messages/receive/store-echoes.ts', ofAgents, [
    [
      "await endAgentProposals(tx, clock, { workspace_id, id }, { state: 'overtaken', reason: 'answered' });",
      'void id;',
      'a person has answered from the phone, and the answer of the agent waits on',
    ],
  ]),
  ...faultsIn('server/src/automation/cancel-runs.ts', ofRuns, [
    [
      'where p.workspace_id = $1 and p.id = r.proposal_id',
      'where p.workspace_id = $1 and p.id <> r.proposal_id',
      'what a cancelled run has proposed waits on',
    ],
  ]),
  ...faultsIn('server/src/automation/forget-proposals.ts', ofAgents, [
    ["state not in ('waiting', 'accepted')", "state <> 'waiting'", 'who approved a message is forgotten'],
  ]),
  ...faultsIn('server/src/workflows/run/accept-in-run.ts', ofRuns, [
    ["locked.workflow_status === 'paused' ?", 'false ?', 'a paused workflow goes on after a yes'],
    ["if (outcome.type === 'failed') {", 'if (false) {', 'a refusal at the yes fails the run'],
  ]),
  ...faultsIn('server/src/workflows/run/advance-run.ts', ofRuns, [
    [
      'if (isWaiting && run.due_at && clock.now() < run.due_at) return false;',
      'if (isWaiting) return false;',
      'a run waits for a decision for ever',
    ],
    [
      'run.position = instruction.on_refusal ?? null;',
      'run.position = instruction.next;',
      'a refused step is followed as an accepted one',
    ],
  ]),
  ...faultsIn('server/src/workflows/run/expand.ts', ofRuns, [
    ['if (scope === asWritten) return text;', '', 'what a customer wrote is read as a variable at the yes'],
  ]),
  ...faultsIn('server/src/workflows/steps/propose-step.ts', ofRuns, [
    ['if (beyond) return sendRefused(beyond);', '', 'a workspace proposes without a bound'],
    [
      'if (composed instanceof Refusal) return sendRefused(composed);',
      'if (composed instanceof Refusal) return { content: send.content, preview: null, media_id: null };',
      'people are asked for what can never be sent',
    ],
  ]),
  ...faultsIn('server/src/ai/answers/record-answer.ts', ofAgents, [
    [
      'if (task.proposes && isControlledBy(',
      'if (false && isControlledBy(',
      'an agent that may only propose sends by itself',
    ],
  ]),
];
