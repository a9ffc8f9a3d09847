export const roles = ['agent', 'supervisor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export interface ModelSession {
  email: string;
  isOpen: boolean;
  /** Proved within the last ten minutes. */
  isConfirmed: boolean;
}

export interface ModelInvitation {
  place: number;
  email: string;
  role: Role;
  /** The address of the member who invited; undefined where the operator did. */
  by: string | undefined;
  isOpen: boolean;
}

/** The code of the refusal. Undefined: it must succeed. */
export type Expected = string | undefined;

/**
 * What people may do, written apart from the service: its answers are compared with these. `place` is the number of a
 * workspace. A method with a verb of change assumes that the service allowed it.
 */
export class PeopleModel {
  readonly passwords = new Map<string, string>();
  /** The addresses that their owners proved with something that they received. */
  readonly proven = new Set<string>();
  readonly #joined = new Set<string>();
  readonly sessions: ModelSession[] = [];
  readonly invitations: ModelInvitation[] = [];
  readonly #members: Map<string, Role>[];

  constructor(places: number) {
    this.#members = Array.from({ length: places }, () => new Map());
  }

  roleOf(place: number, email: string): Role | undefined {
    return this.#members[place]!.get(email);
  }

  ownersOf(place: number): string[] {
    return [...this.#members[place]!].filter(([, role]) => role === 'owner').map(([email]) => email);
  }

  visit(session: ModelSession, place: number, least: Role, needsProof = false): Expected {
    const role = this.roleOf(place, session.email);
    if (!session.isOpen) return 'signed_out';
    if (!role) return 'not_found';
    if (!reaches(role, least)) return 'role_insufficient';
    return needsProof && !session.isConfirmed ? 'confirmation_required' : undefined;
  }

  invite(session: ModelSession, place: number, email: string, role: Role): Expected {
    const refusal = this.visit(session, place, 'admin');
    if (refusal) return refusal;
    if (!this.#mayGive(session, place, role)) return 'role_insufficient';
    return this.roleOf(place, email) ? 'already_member' : undefined;
  }

  changeRole(session: ModelSession, place: number, email: string, role: Role): Expected {
    const refusal = this.remove(session, place, email);
    if (refusal && refusal !== 'last_owner') return refusal;
    if (!this.#mayGive(session, place, role)) return 'role_insufficient';
    return role === 'owner' ? undefined : refusal;
  }

  remove(session: ModelSession, place: number, email: string): Expected {
    const refusal = this.visit(session, place, 'admin');
    if (refusal) return refusal;
    const role = this.roleOf(place, email);
    if (!role) return 'not_found';
    if (role === 'owner' && !this.#mayGive(session, place, 'owner')) return 'role_insufficient';
    return role === 'owner' && this.ownersOf(place).length === 1 ? 'last_owner' : undefined;
  }

  withdraw(session: ModelSession, place: number, invitation: ModelInvitation): Expected {
    const refusal = this.visit(session, place, 'admin');
    return refusal ?? (invitation.isOpen && invitation.place === place ? undefined : 'not_found');
  }

  accept(invitation: ModelInvitation, password: string): Expected {
    const { isOpen, email, place } = invitation;
    if (!isOpen) return 'link_invalid';
    const known = this.passwords.get(email);
    if (known === undefined || this.proves(invitation)) return undefined;
    if (known !== password) return 'sign_in_failed';
    const isGood = this.proven.has(email) || this.#joined.has(`${place} ${email}`);
    return isGood ? undefined : 'address_unproven';
  }

  /** Whether the use of the invitation is the first proof of the address: a member's link, given by hand, proves nothing. */
  proves({ by, email }: ModelInvitation): boolean {
    return by === undefined && !this.proven.has(email);
  }

  /** The owner of the address proves it and sets a password. All that was there before ends. */
  prove(email: string, password: string): void {
    this.proven.add(email);
    this.passwords.set(email, password);
    this.endSessionsOf(email);
  }

  join({ place, email, role }: ModelInvitation): void {
    const present = this.roleOf(place, email);
    this.#joined.add(`${place} ${email}`);
    this.#members[place]!.set(email, present && reaches(present, role) ? present : role);
    this.replaceInvitations(place, email);
  }

  /** One invitation of an address to a workspace is open, and none of a member. */
  replaceInvitations(place: number, email: string): void {
    for (const one of this.invitations) if (one.place === place && one.email === email) one.isOpen = false;
  }

  /** Ends a membership where `role` is undefined. Invitations end that the member could not make with the new role. */
  setRole(place: number, email: string, role: Role | undefined): void {
    if (role) this.#members[place]!.set(email, role);
    else this.#members[place]!.delete(email);
    const mayInvite = (invited: Role) => role !== undefined && reaches(role, 'admin') && reaches(role, invited);
    for (const one of this.invitations) {
      if (one.place === place && one.by === email && !mayInvite(one.role)) one.isOpen = false;
    }
  }

  /** The open invitations, as sentences in order. */
  listOpenInvitations(): string[] {
    return this.invitations
      .filter(({ isOpen }) => isOpen)
      .map(({ place, email, role }) => `${email} as ${role} to ${place}`)
      .sort();
  }

  openSession(email: string): ModelSession {
    const session = { email, isOpen: true, isConfirmed: true };
    this.sessions.push(session);
    return session;
  }

  endSessionsOf(email: string, except?: ModelSession): void {
    for (const one of this.sessions) if (one.email === email && one !== except) one.isOpen = false;
  }

  #mayGive(session: ModelSession, place: number, role: Role): boolean {
    return reaches(this.roleOf(place, session.email)!, role);
  }
}

function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
