import fc from 'fast-check';
import { agentCount, conversationCount, type RightsStep, teamCount } from './follow-rights.ts';

const below = (count: number) => fc.nat({ max: count - 1 });
const conversation = below(conversationCount);
const agent = below(agentCount);
const team = below(teamCount);

/** Mostly changes of rights with notes in between, so that a change meets the change of a right. */
export const arbitrarySteps: fc.Arbitrary<RightsStep[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ type: fc.constant('note' as const), conversation }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('send' as const), conversation }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('assign' as const),
        conversation,
        agent: fc.option(agent),
        team: fc.option(team),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('limit' as const), agent, own_teams_only: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('team' as const), agent, team, joins: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constantFrom('foreign' as const, 'settle' as const, 'resume' as const) }),
    },
  ),
  { minLength: 20, maxLength: 40 },
);
