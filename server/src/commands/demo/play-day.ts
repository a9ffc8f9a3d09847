import type { Persona } from '@majlis/simulator';
import { arabicConversations } from './arabic-conversations.ts';
import { createColleagues } from './colleagues.ts';
import { createCustomers } from './customers.ts';
import type { Act, CustomerAct, DemoConversation } from './day.ts';
import type { DemoDay } from './demo-day.ts';
import { englishConversations } from './english-conversations.ts';
import { moveDemoClock } from './move-demo-clock.ts';
import { addKnowledge, addTools, writeContact } from './set-up-desk.ts';

export const demoConversations = [...arabicConversations, ...englishConversations];

const minuteMs = 60_000;
const beforeFirstActMs = 10 * minuteMs;
/** How long before the present the demo's day begins. */
export const demoDayMs =
  demoConversations.flatMap(actsOf).reduce((most, [ago]) => Math.max(most, ago), 0) * minuteMs + beforeFirstActMs;
/** One side of a conversation does this much without a move of the clock. */
const turnMinutes = 5;
/**
 * Turns whose ages differ by less share a moment. Each move of the clock wakes everything that repeats, so fewer moves make
 * the first start quicker.
 */
const togetherWithin = 0.15;

/**
 * Plays the day of the demo workspace through the doors that people and customers use: customers write on the simulator,
 * colleagues answer in the console. The test clock starts a day ago and moves from act to act, so each time is the service's own.
 */
export async function playDay(day: DemoDay): Promise<void> {
  const present = Date.now();
  const colleagues = await createColleagues(day);
  const customers = await createCustomers(day);
  const knowledge = addKnowledge(day, colleagues);
  await addTools(colleagues);
  for (const group of groupTurns(demoConversations)) {
    await moveDemoClock(day, present - group[0]!.ago * minuteMs);
    if (group.some(handsOver)) await knowledge;
    await Promise.all([...Map.groupBy(group, ({ conversation }) => conversation).values()].map(playTurns));
    const asked = group.filter(isForBot);
    if (asked.length === 0) continue;
    // The AI agent waits for seconds of silence before it answers.
    await moveDemoClock(day, present - (group[0]!.ago - 1) * minuteMs);
    await Promise.all(asked.map(({ conversation }) => colleagues.waitForAnswer(conversation)));
  }
  await knowledge;
  await moveDemoClock(day, Date.now());
  await colleagues.readAll(demoConversations.filter(({ isUnread }) => !isUnread));
  await colleagues.leaveUnread(demoConversations.filter(({ isUnread }) => isUnread));
  await colleagues.signOut();

  /** The turns of one conversation, one after the other. */
  async function playTurns(turns: readonly Turn[]): Promise<void> {
    for (const { conversation, acts } of turns) {
      const said = acts.flatMap(([, by, act]) => (by === 'customer' ? [act] : []));
      if (said.length > 0) await customers.act(conversation, said);
      for (const [, by, act] of acts) if (by !== 'customer') await colleagues.act(by, conversation, act);
      await colleagues.waitFor(conversation, said.filter(isMessage).length);
      if (acts[0] === conversation.acts[0]) await writeContact(conversation, colleagues);
    }
  }
}

/** The customers of the day, who answer from now on. */
export function demoPersonas(): Persona[] {
  return demoConversations.map(({ phone, name, language, order, place, openings = [] }) => {
    return { phone, name, language, ...(order && { order }), ...(place && { place }), openings: [...openings] };
  });
}

/** What one side does at a time. */
interface Turn {
  conversation: DemoConversation;
  isOfCustomer: boolean;
  /** In minutes. */
  ago: number;
  acts: Act[];
}

/** The turns of all conversations in groups, the latest last. A customer has one turn in a group. */
function groupTurns(conversations: readonly DemoConversation[]): Turn[][] {
  const turns = conversations.flatMap(takeTurns).sort((one, other) => other.ago - one.ago);
  const groups: Turn[][] = [];
  for (const turn of turns) {
    const group = groups.at(-1);
    if (group && fits(group, turn)) group.push(turn);
    else groups.push([turn]);
  }
  return groups;
}

function fits(group: readonly Turn[], { conversation, ago, isOfCustomer }: Turn): boolean {
  const oldest = group[0]!.ago;
  if (oldest - ago >= oldest * togetherWithin) return false;
  return !isOfCustomer || group.every((turn) => turn.conversation !== conversation);
}

function takeTurns(conversation: DemoConversation): Turn[] {
  const turns: Turn[] = [];
  for (const act of conversation.acts) {
    const last = turns.at(-1);
    const isOfCustomer = act[1] === 'customer';
    if (last?.isOfCustomer === isOfCustomer && last.ago - act[0] <= turnMinutes) last.acts.push(act);
    else turns.push({ conversation, isOfCustomer, ago: act[0], acts: [act] });
  }
  return turns;
}

function isMessage(act: CustomerAct): boolean {
  return typeof act === 'string' || !('react' in act);
}

/** Whether the customer writes to the AI agent. */
function isForBot({ conversation, isOfCustomer, ago }: Turn): boolean {
  return isOfCustomer && conversation.acts.some((act) => act[0] > ago && handsOver({ acts: [act] }));
}

function handsOver({ acts }: Pick<Turn, 'acts'>): boolean {
  return acts.some(([, , act]) => typeof act === 'object' && 'hand_over' in act);
}

function actsOf({ acts }: DemoConversation): Act[] {
  return acts;
}
