import { type Operation, operations } from '@majlis/contract';
import type { Config } from '../../process/config.ts';

/** The largest body of a request: bytes, and values in them. */
export interface BodyBounds {
  bytes: number;
  values: number;
}

/** The operations that take lists of thousands of people. */
const withLists = new Set<Operation>([operations.createBroadcast, operations.importContacts]);

// A value of real lists takes 20 bytes and more. Parsed, a value takes ten times its bytes where it takes two of them.
const bytes_per_value = 20;

type Limits = Pick<Config, 'bodyLimitBytes' | 'smallBodyLimitBytes'>;

export function boundsOf(
  operation: Operation | undefined,
  { bodyLimitBytes, smallBodyLimitBytes }: Limits,
): BodyBounds {
  return boundsFor(operation && withLists.has(operation) ? bodyLimitBytes : smallBodyLimitBytes);
}

export function boundsFor(bytes: number): BodyBounds {
  return { bytes, values: Math.ceil(bytes / bytes_per_value) };
}
