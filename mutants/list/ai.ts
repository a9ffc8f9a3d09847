import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/ai/credits.ts',
    ['server/test/ai-answers.test.ts', 'server/test/usage.test.ts'],
    [
      [
        'Math.ceil(tokens / tokensPerCredit)',
        'Math.floor(tokens / tokensPerCredit)',
        'a short answer costs nothing',
        ['server/test/ai-answers.test.ts', 'server/test/usage.test.ts', 'server/test/ai-drafts.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/ai/answers/record-answer.ts',
    ['server/test/ai-takeover.test.ts', 'server/test/ai-answers.test.ts'],
    [
      [
        "bot: { kind: 'ai_agent', id, needs_control: true }",
        "bot: { kind: 'ai_agent', id, needs_control: false }",
        'a late answer speaks over a person',
        ['server/test/ai-takeover.test.ts'],
      ],
      [
        'if (!isControlledBy(conversation, ai_agent_id)) return record',
        'if (!conversation) return record',
        'a late hand-over takes a conversation away from a person',
        ['server/test/ai-takeover.test.ts', 'server/test/ai-handover.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/ai/answers/answer-message.ts',
    ['server/test/long-jobs.test.ts', 'server/test/ai-answers.test.ts'],
    [
      [
        'await holdLease(pool, job, config.leaseSeconds, () => decideAnswer(resources, model, job, task))',
        'await decideAnswer(resources, model, job, task)',
        'a long answer does not renew its lease',
        ['server/test/long-jobs.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/ai/knowledge/find-passages.ts',
    ['server/test/ai-knowledge.test.ts'],
    [
      [
        'p.ai_agent_ids is null or $4 = any (p.ai_agent_ids))',
        'p.ai_agent_ids is null or $4 is not null)',
        'an agent quotes the knowledge of another',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/ai/knowledge/index-source.ts',
    ['server/test/long-jobs.test.ts', 'server/test/ai-knowledge.test.ts'],
    [
      [
        'await holdLease(pool, job, config.leaseSeconds, () => prepare(job, source))',
        'await prepare(job, source)',
        'a long page does not renew its lease',
        ['server/test/long-jobs.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/ai/knowledge/add-knowledge-source.ts',
    ['server/test/ai-knowledge.test.ts'],
    [
      [
        'if (await isFromCustomer(tx, workspace_id, media.id)) {',
        'if (!media) {',
        'a file of a customer outlives the erasure of the contact',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/ai/rules.ts',
    ['server/src/ai/rules.test.ts', 'server/test/ai-handover.test.ts'],
    [
      [
        'if (repeatsRules(text, rules)) {',
        'if (text === rules) {',
        'an answer that reveals the instructions is sent',
        ['server/src/ai/rules.test.ts', 'server/test/ai-injection.test.ts'],
      ],
      [
        "reason.replaceAll('@', '')",
        'reason',
        'a customer makes a note mention a teammate',
        ['server/src/ai/rules.test.ts', 'server/test/ai-injection.test.ts', 'server/test/ai-handover.test.ts'],
      ],
    ],
  ),
];
