import type { ProofRun } from '../section.ts';
import { type ClockEnvironment, createClockEnvironment, NotSettled } from './clock-environment.ts';
import { createClockWorkspace } from './clock-workspace.ts';
import { proveAgeRule } from './prove-age-rule.ts';
import { proveRule } from './prove-rule.ts';
import { proveSchedule } from './prove-schedule.ts';
import { proveSweep } from './prove-sweep.ts';
import type { RuleContext, RuleGroup } from './rule.ts';
import { agentTimeRules } from './rules/agents.ts';
import { broadcastRules } from './rules/broadcasts.ts';
import { conversationRules } from './rules/conversations.ts';
import { dayRules } from './rules/days.ts';
import { inboxRules } from './rules/inbox.ts';
import { mailRules } from './rules/mail.ts';
import { mediaRules } from './rules/media.ts';
import { peopleRules } from './rules/people.ts';
import { retryRules } from './rules/retries.ts';
import { sendingRules } from './rules/sending.ts';
import { templateRules } from './rules/templates.ts';
import { webhookRules } from './rules/webhooks.ts';
import { workflowRules } from './rules/workflows.ts';

const groups = [
  conversationRules,
  sendingRules,
  retryRules,
  broadcastRules,
  workflowRules,
  agentTimeRules,
  dayRules,
  templateRules,
  mediaRules,
  webhookRules,
  mailRules,
  peopleRules,
  inboxRules,
];

/**
 * Every rule about time, at its edge, one millisecond before and one after it, over HTTP on a service with a frozen
 * clock. rule.ts describes the kinds of rules.
 */
export async function proveClock({ seed, log }: ProofRun): Promise<string[]> {
  const environment = await createClockEnvironment(seed);
  const faults: string[] = [];
  try {
    for (const [n, group] of groups.entries()) {
      const context = { ...environment, ...(await createClockWorkspace(environment, n, group.file)) };
      for (const proof of proofsOf(group, context)) faults.push(...(await findFaults(environment, proof)));
    }
  } catch (error) {
    if (!(error instanceof NotSettled)) throw error;
    return [...faults, error.message];
  }
  const count = (kind: 'rules' | 'age_rules' | 'schedules' | 'sweeps') =>
    groups.reduce((sum, group) => sum + (group[kind]?.length ?? 0), 0);
  log(`${count('rules')} rules at -1, 0 and +1 ms, ${count('age_rules')} by the age of things that are 1 ms apart`);
  log(`${count('schedules')} schedules of tries, ${count('sweeps')} sweeps`);
  return faults;
}

async function findFaults(environment: ClockEnvironment, { name, prove }: Proof): Promise<string[]> {
  try {
    await environment.settled();
    return (await prove()).map((fault) => `${name}: ${fault}`);
  } catch (error) {
    if (error instanceof NotSettled) throw new NotSettled(`${name}: ${error.message}`);
    return [`${name}: ${error}`];
  }
}

interface Proof {
  name: string;
  /** The violations, as sentences. */
  prove(): Promise<string[]>;
}

function proofsOf(
  { rules = [], age_rules = [], schedules = [], sweeps = [] }: RuleGroup,
  context: RuleContext,
): Proof[] {
  return [
    ...rules.map((rule) => ({ name: rule.name, prove: () => proveRule(context, rule) })),
    ...schedules.map((schedule) => ({ name: schedule.name, prove: () => proveSchedule(context, schedule) })),
    ...age_rules.map((rule) => ({ name: rule.name, prove: () => proveAgeRule(context, rule) })),
    ...sweeps.map((sweep) => ({ name: sweep.name, prove: () => proveSweep(context, sweep) })),
  ];
}
