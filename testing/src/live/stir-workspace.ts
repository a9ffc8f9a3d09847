import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp, within } from '../cleanup.ts';
import type { AnyJson } from '../json.ts';
import type { Member } from '../people.ts';
import { password } from '../people.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { templateMessage } from '../start-test-service.ts';

export interface StirredWorkspace {
  owner: Member;
  /** Who may be assigned and limited to own conversations. */
  agents: Member[];
  team_ids: string[];
  customers: string[];
  /** A customer writes. */
  inject(customer: string, text: string): void;
}

/** How long the service may be away. */
const awayMs = 60_000;

/**
 * Random writes of every kind that a console shows, one after the other, until `stop` or the end of the test. `stop` waits
 * for at least so many as it says, and answers how many there were. It fails when the service took no write for a minute.
 */
export function stirWorkspace(
  random: SeededRandom,
  workspace: StirredWorkspace,
): { stop(least?: number): Promise<number> } {
  const { owner, agents, team_ids, customers } = workspace;
  let least = Number.POSITIVE_INFINITY;
  let writes = 0;

  async function write(): Promise<void> {
    const { body } = await owner.at('GET', '/conversations?limit=100');
    const conversation: AnyJson = body?.data?.length ? random.pick(body.data) : undefined;
    const at = `/conversations/${conversation?.id}`;
    const chance = random.next();
    if (!conversation || chance < 0.25) workspace.inject(random.pick(customers), `Hello ${writes}`);
    else if (chance < 0.4)
      await owner.at('POST', '/messages', { to: `+${random.pick(customers)}`, ...templateMessage });
    else if (chance < 0.5) await owner.at('POST', `${at}/notes`, { body: `Note ${writes}` });
    else if (chance < 0.7)
      await owner.at('POST', `${at}/assign`, random.pick([...agents.map(toAssignee), ...team_ids.map(toTeam)]));
    else if (chance < 0.78) await owner.at('POST', `${at}/close`, {});
    else if (chance < 0.84) await owner.at('POST', `${at}/reopen`, {});
    else if (chance < 0.93) await owner.at('PATCH', `/contacts/${conversation.contact_id}`, { name: `Name ${writes}` });
    else if (chance < 0.97) {
      const own_teams_only = random.next() < 0.7;
      await owner.at('PATCH', `/members/${random.pick(agents).user_id}`, { own_teams_only });
    } else {
      await owner.post('/confirm', { password });
      await owner.at('DELETE', `/contacts/${conversation.contact_id}`);
    }
    writes++;
  }
  const toAssignee = ({ user_id }: Member) => ({ assignee_id: user_id });
  const toTeam = (team_id: string) => ({ team_id });

  async function keepWriting(): Promise<void> {
    let failing: { from: number } | undefined;
    while (writes < least) {
      try {
        await write();
        failing = undefined;
      } catch (cause) {
        // The service may be away: the next write follows.
        failing ??= { from: performance.now() };
        const failing_ms = performance.now() - failing.from;
        if (failing_ms > awayMs) throw new Error(`no write was taken for ${Math.round(failing_ms)} ms`, { cause });
        await pause(100);
      }
    }
  }
  const done = keepWriting();
  // `stop` reports it.
  done.catch(() => {});
  cleanUp('the stirring of a workspace', () => {
    least = 0;
    return done;
  });
  return {
    async stop(enough = 0) {
      least = enough;
      await within(done, 120_000, `${enough} writes`);
      return writes;
    },
  };
}
