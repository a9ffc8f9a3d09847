import { within } from '@majlis/testing/cleanup';
import { type Browser, makeToken, openBrowser } from '@majlis/testing/people';
import type { SeededRandom } from '@majlis/testing/seeded-random';
import type { TestService, TestWorkspace } from '@majlis/testing/start-test-service';
import { type Expected, type ModelInvitation, type ModelSession, PeopleModel, type Role } from './people-model.ts';

/** A session of the model with its browser. */
export interface Visit {
  session: ModelSession;
  browser: Browser;
}

export interface Sent {
  invitation: ModelInvitation;
  id: string;
  token: string;
}

/** An answer of the service, and the code that the model expects; undefined where it must succeed. */
export interface Compared {
  text: string;
  expected: Expected;
  actual: Expected;
}

export interface PeopleWorld {
  majlis: TestService;
  model: PeopleModel;
  random: SeededRandom;
  workspaces: readonly TestWorkspace[];
  emails: readonly string[];
  visits: Visit[];
  sent: Sent[];
  /** Ids of users, by workspace and address. */
  userIds: Map<string, string>;
  /** API keys that people made, by id, with the place. */
  keys: { place: number; id: string; isLive: boolean }[];
  /** Everything that must stand in no log and no row. */
  secrets: Set<string>;
}

export function createPeopleWorld(majlis: TestService, random: SeededRandom, workspaces: TestWorkspace[]): PeopleWorld {
  return {
    majlis,
    model: new PeopleModel(workspaces.length),
    random,
    workspaces,
    emails: Array.from({ length: 7 }, (_, n) => `person${n}@acme.example`),
    visits: [],
    sent: [],
    userIds: new Map(),
    keys: [],
    secrets: new Set(),
  };
}

const mostAnswerMs = 60_000;

type Answer = Awaited<ReturnType<Browser['request']>>;

/** Calls as this person, from an address of their own: the attempts of one address are limited. */
export async function call(
  { secrets, random }: PeopleWorld,
  browser: Browser,
  method: string,
  path: string,
  body?: object,
) {
  const headers = {
    'x-forwarded-for': `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`,
  };
  const asked = browser.request(method, path, body, headers);
  const answer = await within(asked, mostAnswerMs, `the answer to ${method} ${path}`);
  for (const token of browser.cookies.values()) secrets.add(token);
  return answer;
}

export function codeOf({ status, body }: Answer): Expected {
  return status < 300 ? undefined : (body?.code ?? String(status));
}

export function below({ workspaces }: PeopleWorld, place: number, path: string): string {
  return `/workspaces/${workspaces[place]!.id}${path}`;
}

/** An id that names nothing stands for a person who never joined. */
export function userIdOf({ userIds }: PeopleWorld, place: number, email: string): string {
  return userIds.get(`${place} ${email}`) ?? 'usr_00000000000000000000000000';
}

/** Follows a sign-in that succeeded. */
export async function enter(world: PeopleWorld, browser: Browser, email: string): Promise<void> {
  world.visits.push({ session: world.model.openSession(email), browser });
  const { body } = await call(world, browser, 'GET', '/session');
  for (const { workspace_id, user_id } of body.workspaces) {
    const place = world.workspaces.findIndex(({ id }) => id === workspace_id);
    world.userIds.set(`${place} ${email}`, user_id);
  }
}

/** An invitation of the operator, who may invite anybody as anything. */
export async function inviteByOperator(world: PeopleWorld, place: number, email: string, role: Role): Promise<Sent> {
  const workspace: string = world.workspaces[place]!.applied.workspace.name;
  const token = await makeToken(world.majlis, { kind: 'invitation', workspace, email, role });
  return keepInvitation(world, { place, email, role, by: undefined, isOpen: true }, '', token);
}

export function keepInvitation(world: PeopleWorld, invitation: ModelInvitation, id: string, token: string): Sent {
  const sent = { invitation, id, token };
  world.secrets.add(token);
  world.model.invitations.push(invitation);
  world.sent.push(sent);
  return sent;
}

export async function accept(world: PeopleWorld, { invitation, token }: Sent, password: string): Promise<Compared> {
  const { model } = world;
  const expected = model.accept(invitation, password);
  const browser = openBrowser(world.majlis);
  const name = `Name of ${invitation.email}`;
  const actual = codeOf(await call(world, browser, 'POST', '/invitations/accept', { token, name, password }));
  if (actual === undefined) {
    if (model.proves(invitation)) model.prove(invitation.email, password);
    else if (!model.passwords.has(invitation.email)) model.passwords.set(invitation.email, password);
    model.join(invitation);
    await enter(world, browser, invitation.email);
  }
  return { text: `${invitation.email} accepts ${invitation.role} in ${invitation.place}`, expected, actual };
}
