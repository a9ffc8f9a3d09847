import type { User } from '@majlis/contract';

export function nameOf(people: readonly User[], user_id: string): string {
  return people.find(({ id }) => id === user_id)?.name ?? '';
}

export function firstNameOf(name: string): string {
  return name.trim().split(/\s+/u)[0] ?? '';
}
