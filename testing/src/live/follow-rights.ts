import { setTimeout as pause } from 'node:timers/promises';
import { parseId } from '../../../server/src/database/ids.ts';
import type { AnyJson } from '../json.ts';
import { newDigits } from '../messages.ts';
import { type OpenStream, openStream } from '../open-stream.ts';
import { joinWorkspace, type Member } from '../people.ts';
import { repeatUntil } from '../repeat-until.ts';
import { type TestService, type TestWorkspace, templateMessage } from '../start-test-service.ts';

/** One write, by indexes into the agents, teams and conversations. */
export type RightsStep =
  | { type: 'note' | 'send'; conversation: number }
  | { type: 'assign'; conversation: number; agent: number | null; team: number | null }
  | { type: 'limit'; agent: number; own_teams_only: boolean }
  | { type: 'team'; agent: number; team: number; joins: boolean }
  | { type: 'foreign' | 'settle' | 'resume' };

export const conversationCount = 3;
export const agentCount = 2;
export const teamCount = 2;

interface Agent extends Member {
  own_teams_only: boolean;
  teams: Set<number>;
}

interface Conversation {
  id: string;
  customer: string;
  agent: number | null;
  team: number | null;
}

interface Told {
  event: AnyJson;
  /** Completed steps when it arrived, and when all streams were last known to have everything. */
  step: number;
  settled: number;
}

/** Performs random writes and changes of rights, and compares what each stream was told with a model of the rights. */
export async function createRightsModel(
  majlis: TestService,
): Promise<(steps: readonly RightsStep[]) => Promise<string[]>> {
  const workspace = await majlis.workspace({ teams: [{ name: 'Sales' }, { name: 'Care' }] });
  const foreign = await majlis.workspace();
  const team_ids: string[] = workspace.applied.teams.map(({ id }: { id: string }) => id);
  const owner = await joinWorkspace(majlis, workspace);
  const stranger = await joinWorkspace(majlis, foreign);
  const agents: Agent[] = [];
  for (let n = 0; n < agentCount; n++) {
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    agents.push({ ...member, own_teams_only: false, teams: new Set() });
  }
  const conversations: Conversation[] = [];
  for (let n = 0; n < conversationCount; n++) {
    const customer = newDigits();
    const { body } = await workspace.api.post('/messages', { to: `+${customer}`, ...templateMessage });
    const conversation = { id: body.conversation_id, customer, agent: null, team: null };
    conversations.push(conversation);
    await perform({ type: 'assign', conversation: n, agent: 0, team: null });
  }

  async function perform(step: RightsStep): Promise<string | undefined> {
    switch (step.type) {
      case 'note':
        return (await at(step, 'notes', { body: 'A note' })).body.id;
      case 'send':
        return (await owner.at('POST', '/messages', { to: `+${find(step).customer}`, ...templateMessage })).body.id;
      case 'assign': {
        const { agent, team } = step;
        const to = {
          assignee_id: agent === null ? null : agents[agent]!.user_id,
          team_id: team === null ? null : team_ids[team]!,
        };
        const { status } = await at(step, 'assign', to);
        if (status !== 200) throw new Error(`assign answered ${status}`);
        Object.assign(find(step), { agent, team });
        return undefined;
      }
      case 'limit': {
        const agent = agents[step.agent]!;
        await owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: step.own_teams_only });
        agent.own_teams_only = step.own_teams_only;
        return undefined;
      }
      case 'team': {
        const agent = agents[step.agent]!;
        const ids = [workspace.id, team_ids[step.team]!, agent.user_id];
        const uuids = [parseId('workspace', ids[0]!), parseId('team', ids[1]!), parseId('user', ids[2]!)];
        if (step.joins) await majlis.sql('insert into team_members values ($1, $2, $3) on conflict do nothing', uuids);
        else
          await majlis.sql('delete from team_members where workspace_id = $1 and team_id = $2 and user_id = $3', uuids);
        if (step.joins) agent.teams.add(step.team);
        else agent.teams.delete(step.team);
        return undefined;
      }
      case 'foreign':
        await foreign.api.post('/messages', { to: `+${newDigits()}`, ...templateMessage });
        return undefined;
      default:
        return undefined;
    }
  }
  function find({ conversation }: { conversation: number }): Conversation {
    return conversations[conversation]!;
  }
  function at(step: { conversation: number }, action: string, body: object) {
    return owner.at('POST', `/conversations/${find(step).id}/${action}`, body);
  }
  const sees = ({ own_teams_only, teams }: Agent, n: number, { agent, team }: Conversation) =>
    !own_teams_only || agent === n || (team !== null && teams.has(team));

  return async (steps) => {
    let done = 0;
    let settled = 0;
    /** By agent, by conversation: whether it was visible after each step. */
    const visible = agents.map(() => conversations.map((): boolean[] => []));
    const look = () => {
      for (const [n, agent] of agents.entries()) {
        for (const [c, conversation] of conversations.entries()) visible[n]![c]!.push(sees(agent, n, conversation));
      }
    };
    const created = new Map<string, number>();
    const told = agents.map((): Told[] => []);
    const others: AnyJson[] = [];
    const open = (n: number, after?: string) =>
      openStream(majlis, agents[n]!, after, (event) => told[n]!.push({ event, step: done, settled }));
    const streams: OpenStream[] = await Promise.all(agents.map((_, n) => open(n)));
    const outside = await openStream(majlis, stranger, undefined, (event) => others.push(event));
    await settle(workspace, [...streams], majlis);
    look();
    for (const step of steps) {
      if (step.type === 'settle') await settle(workspace, streams, majlis);
      if (step.type === 'resume') {
        for (const [n, stream] of streams.entries()) {
          stream.cut();
          streams[n] = await open(n, stream.id());
        }
      }
      if (step.type === 'note' || step.type === 'send') created.set((await perform(step))!, done);
      else await perform(step);
      done++;
      look();
      if (step.type === 'settle') settled = done;
    }
    await settle(workspace, streams, majlis);
    for (const stream of [...streams, outside]) stream.cut();
    const faults = others
      .filter(({ kind, workspace_id }) => kind !== 'ready' && workspace_id !== foreign.id)
      .map((event) => `a stranger was told ${JSON.stringify(event)}`);
    for (const [n, all] of told.entries()) {
      for (const { event, step, settled: from } of all) {
        if (event.workspace_id && event.workspace_id !== workspace.id)
          faults.push(`agent ${n}: ${JSON.stringify(event)}`);
        const c = conversations.findIndex(({ id }) => id === event.conversation_id);
        if (c < 0 || event.kind === 'removed') continue;
        // The change was told at some moment between its write and its arrival, during which the next step may have run.
        const first = Math.max(from, created.get(event.message_id) ?? 0);
        if (!visible[n]![c]!.slice(first, step + 2).some(Boolean)) {
          faults.push(`agent ${n} was told at step ${step} of ${steps.length}: ${JSON.stringify(event)}`);
        }
      }
    }
    return faults;
  };
}

/** Waits until the streams have told all that is committed. */
async function settle(workspace: TestWorkspace, streams: readonly OpenStream[], majlis: TestService): Promise<void> {
  // The statuses of sends come later by themselves.
  const isQuiet = async () =>
    (await majlis.sql(`select from messages where status = any('{queued,sent,delivered}')`)).length === 0;
  await repeatUntil(isQuiet, () => pause(20));
  const identities = [{ channel_type: 'chatapp', identifier: newDigits() }];
  const { body } = await workspace.api.post('/contacts', { name: 'A sign', identities });
  for (const stream of streams) await stream.until(({ contact_id }) => contact_id === body.id);
}
