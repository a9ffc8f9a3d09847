import type { Run } from '../section.ts';
import { openWorkspace } from './open-workspace.ts';
import { type ClockedSystem, NotSettled, openWorld } from './open-world.ts';
import { proveAgeRule } from './prove-age-rule.ts';
import { proveRule } from './prove-rule.ts';
import { proveSchedule } from './prove-schedule.ts';
import { proveSweep } from './prove-sweep.ts';
import type { Chapter, Scene } from './rule.ts';
import { aboutAgents } from './rules/about-agents.ts';
import { aboutBroadcasts } from './rules/about-broadcasts.ts';
import { aboutConversations } from './rules/about-conversations.ts';
import { aboutDays } from './rules/about-days.ts';
import { aboutMail } from './rules/about-mail.ts';
import { aboutMedia } from './rules/about-media.ts';
import { aboutRetries } from './rules/about-retries.ts';
import { aboutSending } from './rules/about-sending.ts';
import { aboutTemplates } from './rules/about-templates.ts';
import { aboutWebhooks } from './rules/about-webhooks.ts';
import { aboutWorkflows } from './rules/about-workflows.ts';

const chapters = [
  aboutConversations,
  aboutSending,
  aboutRetries,
  aboutBroadcasts,
  aboutWorkflows,
  aboutAgents,
  aboutDays,
  aboutTemplates,
  aboutMedia,
  aboutWebhooks,
  aboutMail,
];

/**
 * Every rule about time, a millisecond before its edge, on it and a millisecond after it, through the public door of a
 * service whose clock stands still in between. The kinds of rules, and how each is shown, are in rule.ts.
 */
export async function proveClock({ seed, say }: Run): Promise<string[]> {
  const world = await openWorld(seed);
  const faults: string[] = [];
  try {
    for (const [n, chapter] of chapters.entries()) {
      const scene = { ...world, ...(await openWorkspace(world, n, chapter.file)) };
      for (const proof of proofsOf(chapter, scene)) faults.push(...(await findFaults(world, proof)));
    }
  } catch (error) {
    if (!(error instanceof NotSettled)) throw error;
    return [...faults, error.message];
  }
  const count = (kind: 'rules' | 'age_rules' | 'schedules' | 'sweeps') =>
    chapters.reduce((sum, chapter) => sum + (chapter[kind]?.length ?? 0), 0);
  say(`${count('rules')} rules at -1, 0 and +1 ms, ${count('age_rules')} by the age of things that are 1 ms apart`);
  say(`${count('schedules')} schedules of tries, ${count('sweeps')} sweeps`);
  return faults;
}

async function findFaults(world: ClockedSystem, { name, prove }: Proof): Promise<string[]> {
  try {
    await world.settled();
    return (await prove()).map((fault) => `${name}: ${fault}`);
  } catch (error) {
    if (error instanceof NotSettled) throw new NotSettled(`${name}: ${error.message}`);
    return [`${name}: ${error}`];
  }
}

interface Proof {
  name: string;
  /** What was found against it, in words. */
  prove(): Promise<string[]>;
}

function proofsOf({ rules = [], age_rules = [], schedules = [], sweeps = [] }: Chapter, scene: Scene): Proof[] {
  return [
    ...rules.map((rule) => ({ name: rule.name, prove: () => proveRule(scene, rule) })),
    ...schedules.map((schedule) => ({ name: schedule.name, prove: () => proveSchedule(scene, schedule) })),
    ...age_rules.map((rule) => ({ name: rule.name, prove: () => proveAgeRule(scene, rule) })),
    ...sweeps.map((sweep) => ({ name: sweep.name, prove: () => proveSweep(scene, sweep) })),
  ];
}
