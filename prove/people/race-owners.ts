import type { Role } from './people-model.ts';
import { below, type Compared, call, type PeopleWorld, userIdOf } from './people-world.ts';

/** All owners of a workspace step down or remove another owner at once. Afterwards the model takes over what is stored. */
export async function raceOwners(world: PeopleWorld, place: number): Promise<Compared> {
  const { model, random, majlis, workspaces, visits } = world;
  const owners = model.ownersOf(place);
  const acting = visits.filter(({ session }) => session.isOpen && owners.includes(session.email));
  await Promise.all(
    acting.map(({ browser }) => {
      const path = below(world, place, `/members/${userIdOf(world, place, random.pick(owners))}`);
      return random.next() < 0.5
        ? call(world, browser, 'DELETE', path)
        : call(world, browser, 'PATCH', path, { role: 'supervisor' });
    }),
  );
  const rows = await majlis.sql<{ email: string; role: Role | null }>(
    `select u.email, case when u.person_id is not null then u.role end as role
     from users u join workspaces w on w.id = u.workspace_id where w.name = $1`,
    [workspaces[place]!.applied.workspace.name],
  );
  for (const { email, role } of rows) model.setRole(place, email, role ?? undefined);
  const isOwned = model.ownersOf(place).length > 0;
  return {
    text: `${owners.length} owners of ${place} act at once`,
    expected: undefined,
    actual: isOwned ? undefined : 'no_owner_is_left',
  };
}
