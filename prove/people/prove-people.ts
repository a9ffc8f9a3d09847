import { isDeepStrictEqual } from 'node:util';
import { searchDatabase } from '@majlis/testing/search-database';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';
import type { ProofRun } from '../section.ts';
import { actions, newPassword } from './people-actions.ts';
import { accept, below, call, codeOf, createPeopleWorld, inviteByOperator, type PeopleWorld } from './people-world.ts';

/**
 * Random sequences of invitations, roles, removals, sign-ins, resets and keys by several people in two workspaces. Each answer is
 * that of a model. Afterwards every session has the rights of the model and no other, and no secret stands in the log or a row.
 */
export async function provePeople({ seed, count, log }: ProofRun): Promise<string[]> {
  const env = { RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1' };
  const majlis = await startTestService({ env });
  const world = createPeopleWorld(majlis, seededRandom(seed), [await majlis.workspace(), await majlis.workspace()]);
  for (const place of world.workspaces.keys()) {
    await accept(world, await inviteByOperator(world, place, world.emails[place]!, 'owner'), newPassword(world));
  }
  const faults: string[] = [];
  const refusals = new Map<string, number>();
  for (let n = 0; n < count; n++) {
    const { random, emails, workspaces } = world;
    // Mostly the open sessions, or nothing would be allowed after a while.
    const open = world.visits.filter(({ session }) => session.isOpen);
    const visit = random.pick(open.length > 0 && random.next() < 0.85 ? open : world.visits);
    const places = [...workspaces.keys()];
    const ofPerson = places.filter((one) => world.model.roleOf(one, visit.session.email));
    const place = random.pick(ofPerson.length > 0 && random.next() < 0.8 ? ofPerson : places);
    const { text, expected, actual } = await random.pick(actions)(world, visit, place, random.pick(emails));
    refusals.set(actual ?? 'allowed', (refusals.get(actual ?? 'allowed') ?? 0) + 1);
    if (expected !== actual)
      faults.push(`step ${n}: ${text}: ${actual ?? 'allowed'} instead of ${expected ?? 'allowed'}`);
    // What follows a fault would only repeat it.
    if (faults.length > 0) return faults;
  }
  faults.push(...(await compareSessions(world)), ...(await compareOwners(world)));
  faults.push(...(await compareInvitations(world)), ...(await findSecrets(world)));
  log([...refusals].map(([code, times]) => `${times} ${code}`).join(', '));
  log(`${world.visits.length} sessions, ${world.secrets.size} secrets`);
  const wanted = ['role_insufficient', 'signed_out', 'link_invalid', ...(count >= 1_000 ? ['last_owner'] : [])];
  return wanted.some((code) => !refusals.has(code))
    ? [...faults, 'the run met too few refusals to prove anything']
    : faults;
}

/** Every session that there ever was, those of removed people too. */
async function compareSessions(world: PeopleWorld): Promise<string[]> {
  const faults: string[] = [];
  for (const { session, browser } of world.visits) {
    for (const place of world.workspaces.keys()) {
      const expected = world.model.visit(session, place, 'agent');
      const actual = codeOf(await call(world, browser, 'GET', below(world, place, '/members')));
      if (actual !== expected) faults.push(`${session.email} in ${place}: ${actual} instead of ${expected}`);
    }
  }
  return faults;
}

async function compareOwners({ majlis, workspaces, model }: PeopleWorld): Promise<string[]> {
  const faults: string[] = [];
  for (const [place, { applied }] of workspaces.entries()) {
    const rows = await majlis.sql<{ email: string }>(
      `select u.email from users u join workspaces w on w.id = u.workspace_id
       where w.name = $1 and u.role = 'owner' and u.person_id is not null order by u.email`,
      [applied.workspace.name],
    );
    const [stored, expected] = [rows.map(({ email }) => email).join(), model.ownersOf(place).sort().join()];
    if (stored === '' || stored !== expected) faults.push(`the owners of ${place} are ${stored}, and not ${expected}`);
  }
  return faults;
}

async function compareInvitations({ majlis, workspaces, model }: PeopleWorld): Promise<string[]> {
  const rows = await majlis.sql<{ email: string; role: string; name: string }>(
    `select l.email, l.role, w.name from sign_in_links l join workspaces w on w.id = l.workspace_id
     where l.kind = 'invitation'`,
  );
  const places = new Map(workspaces.map(({ applied }, place) => [applied.workspace.name, place]));
  const stored = rows.map(({ email, role, name }) => `${email} as ${role} to ${places.get(name)}`).sort();
  const expected = model.listOpenInvitations();
  if (isDeepStrictEqual(stored, expected)) return [];
  return [`the open invitations are ${stored.join(', ')}, and not ${expected.join(', ')}`];
}

async function findSecrets({ majlis, secrets }: PeopleWorld): Promise<string[]> {
  const log = majlis.log.join('');
  const inLog = [...secrets].filter((secret) => log.includes(secret));
  const rows = await searchDatabase(majlis, [...secrets]);
  return [
    ...inLog.map((secret) => `${secret} stands in the log`),
    ...rows.map(({ table, row }) => `a secret stands in a row of ${table}: ${row}`),
  ];
}
