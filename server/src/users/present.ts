import type { Team, User } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

/** A row of `users` with the ids of the user's teams. */
export interface UserRow {
  id: string;
  name: string;
  email: string;
  role: string | null;
  status: string | null;
  available: boolean;
  last_active_at: Date | null;
  teams: string[];
}

/** Leaves out null values. */
export function presentUser(row: UserRow): User {
  return {
    id: publicId('user', row.id),
    name: row.name,
    email: row.email,
    ...(row.role !== null && { role: row.role }),
    teams: row.teams.map((id) => publicId('team', id)),
    ...(row.status !== null && { status: row.status }),
    available: row.available,
    ...(row.last_active_at && { last_active_at: row.last_active_at.toISOString() }),
  };
}

export interface TeamRow {
  id: string;
  name: string;
  member_ids: string[];
}

export function presentTeam({ id, name, member_ids }: TeamRow): Team {
  return { id: publicId('team', id), name, member_ids: member_ids.map((member) => publicId('user', member)) };
}
