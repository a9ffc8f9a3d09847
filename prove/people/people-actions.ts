import { makeToken, openBrowser } from '@majlis/testing/people';
import { roles } from './people-model.ts';
import {
  accept,
  below,
  type Compared,
  call,
  codeOf,
  enter,
  inviteByOperator,
  keepInvitation,
  type PeopleWorld,
  userIdOf,
  type Visit,
} from './people-world.ts';
import { raceOwners } from './race-owners.ts';

type Action = (world: PeopleWorld, visit: Visit, place: number, email: string) => Promise<Compared>;

let passwords = 0;

/** A password that no other text contains. */
export function newPassword({ secrets }: PeopleWorld): string {
  const password = `passphrase no. ${++passwords} of nobody`;
  secrets.add(password);
  return password;
}

const invite: Action = async (world, { session, browser }, place, email) => {
  const role = world.random.pick(roles);
  const expected = world.model.invite(session, place, email, role);
  const answer = await call(world, browser, 'POST', below(world, place, '/invitations'), { email, role });
  const actual = codeOf(answer);
  if (actual === undefined) {
    const token = answer.body.link.split('#')[1];
    world.model.replaceInvitations(place, email);
    keepInvitation(world, { place, email, role, by: session.email, isOpen: true }, answer.body.invitation.id, token);
  }
  return { text: `${session.email} invites ${email} as ${role} to ${place}`, expected, actual };
};

const takeInvitation: Action = async (world, _visit, place, email) => {
  const open = world.sent.filter(({ invitation }) => invitation.isOpen);
  const any = open.length > 0 && world.random.next() < 0.7 ? open : world.sent;
  const sent = any.length > 0 ? world.random.pick(any) : await inviteByOperator(world, place, email, 'agent');
  const known = world.model.passwords.get(sent.invitation.email);
  return accept(world, sent, known !== undefined && world.random.next() < 0.8 ? known : newPassword(world));
};

const withdraw: Action = async (world, { session, browser }, place) => {
  const named = world.sent.filter(({ id }) => id !== '');
  if (named.length === 0) return nothing;
  const { invitation, id } = world.random.pick(named);
  const expected = world.model.withdraw(session, place, invitation);
  const actual = codeOf(await call(world, browser, 'DELETE', below(world, place, `/invitations/${id}`)));
  if (actual === undefined) invitation.isOpen = false;
  return { text: `${session.email} withdraws an invitation of ${invitation.place} in ${place}`, expected, actual };
};

const changeRole: Action = async (world, { session, browser }, place, email) => {
  const role = world.random.pick(roles);
  const expected = world.model.changeRole(session, place, email, role);
  const path = below(world, place, `/members/${userIdOf(world, place, email)}`);
  const actual = codeOf(await call(world, browser, 'PATCH', path, { role }));
  if (actual === undefined) world.model.setRole(place, email, role);
  return { text: `${session.email} makes ${email} ${role} in ${place}`, expected, actual };
};

const stepDown: Action = (world, visit, place) => changeRole(world, visit, place, visit.session.email);

const race: Action = (world, _visit, place) => raceOwners(world, place);

const remove: Action = async (world, { session, browser }, place, email) => {
  const expected = world.model.remove(session, place, email);
  const path = below(world, place, `/members/${userIdOf(world, place, email)}`);
  const actual = codeOf(await call(world, browser, 'DELETE', path));
  if (actual === undefined) world.model.setRole(place, email, undefined);
  return { text: `${session.email} removes ${email} from ${place}`, expected, actual };
};

const signIn: Action = async (world, _visit, _place, email) => {
  const known = world.model.passwords.get(email);
  const password = known !== undefined && world.random.next() < 0.8 ? known : newPassword(world);
  const browser = openBrowser(world.majlis);
  const actual = codeOf(await call(world, browser, 'POST', '/sign-in', { email, password }));
  if (actual === undefined) await enter(world, browser, email);
  return { text: `${email} signs in`, expected: password === known ? undefined : 'sign_in_failed', actual };
};

const signOut: Action = async (world, { session, browser }) => {
  const expected = session.isOpen ? undefined : 'signed_out';
  // The cookie stays with a thief, who tries it later.
  const cookies = new Map(browser.cookies);
  const actual = codeOf(await call(world, browser, 'POST', '/sign-out'));
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  session.isOpen = false;
  return { text: `${session.email} signs out`, expected, actual };
};

const changePassword: Action = async (world, { session, browser }) => {
  const expected = !session.isOpen ? 'signed_out' : session.isConfirmed ? undefined : 'confirmation_required';
  const password = newPassword(world);
  const actual = codeOf(await call(world, browser, 'PUT', '/password', { password }));
  if (actual === undefined) {
    world.model.passwords.set(session.email, password);
    world.model.endSessionsOf(session.email, session);
  }
  return { text: `${session.email} changes the password`, expected, actual };
};

const reset: Action = async (world, _visit, _place, email) => {
  if (!world.model.passwords.has(email)) return nothing;
  const token = await makeToken(world.majlis, { kind: 'reset', email });
  world.secrets.add(token);
  const [browser, password] = [openBrowser(world.majlis), newPassword(world)];
  const actual = codeOf(await call(world, browser, 'POST', '/password/reset', { token, password }));
  world.model.prove(email, password);
  if (actual === undefined) await enter(world, browser, email);
  return { text: `${email} resets the password`, expected: undefined, actual };
};

const makeKey: Action = async (world, { session, browser }, place) => {
  const expected = world.model.visit(session, place, 'admin', true);
  const body = { name: `key ${world.keys.length}`, environment: 'test', scopes: [] };
  const answer = await call(world, browser, 'POST', below(world, place, '/api-keys'), body);
  const actual = codeOf(answer);
  if (actual === undefined) {
    world.secrets.add(answer.body.key);
    world.keys.push({ place, id: answer.body.api_key.id, isLive: true });
  }
  return { text: `${session.email} makes a key in ${place}`, expected, actual };
};

const revokeKey: Action = async (world, { session, browser }, place) => {
  if (world.keys.length === 0) return nothing;
  const key = world.random.pick(world.keys);
  const isThere = key.isLive && key.place === place;
  const expected = world.model.visit(session, place, 'admin', true) ?? (isThere ? undefined : 'not_found');
  const actual = codeOf(await call(world, browser, 'DELETE', below(world, place, `/api-keys/${key.id}`)));
  if (actual === undefined) key.isLive = false;
  return { text: `${session.email} revokes a key of ${key.place} in ${place}`, expected, actual };
};

const look: Action = async (world, { session, browser }, place) => {
  const [path, least] = world.random.pick([
    ['/members', 'agent'],
    ['/broadcasts', 'supervisor'],
    ['/api-keys', 'admin'],
    ['/webhook-endpoints', 'admin'],
  ] as const);
  const expected = world.model.visit(session, place, least);
  const actual = codeOf(await call(world, browser, 'GET', below(world, place, path)));
  return { text: `${session.email} reads ${path} of ${place}`, expected, actual };
};

const waitTenMinutes: Action = async (world) => {
  if (world.random.next() < 0.8) return nothing;
  await world.majlis.advance(601);
  for (const session of world.model.sessions) session.isConfirmed = false;
  return nothing;
};

const nothing: Compared = { text: 'nothing', expected: undefined, actual: undefined };

/** Every action, as often as it stands here. */
export const actions: readonly Action[] = [
  ...[invite, invite, takeInvitation, takeInvitation, takeInvitation, withdraw],
  ...[stepDown, race],
  ...[changeRole, changeRole, remove, signIn, signIn, signOut, changePassword, reset],
  ...[makeKey, revokeKey, look, look, look, waitTenMinutes],
];
