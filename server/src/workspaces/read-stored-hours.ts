import { BusinessHours } from '@majlis/console-api';
import type { Logger } from 'pino';
import { Compile } from 'typebox/compile';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { findHoursFaults } from './business-hours.ts';

const schema = Compile(BusinessHours);
/** The owners that each log has named. */
const named = new WeakMap<Pick<Logger, 'warn'>, Set<string>>();

/** Of a person, or of the workspace itself. */
interface HoursOwner {
  workspace_id: string;
  user_id?: string | undefined;
}

/**
 * Hours as they are stored. Those that cannot be read count as none, because an assignment is a part of storing a message. The first
 * reading of them names their owner in the log.
 */
export function readStoredHours({ log }: Connection, owner: HoursOwner, stored: unknown): BusinessHours | undefined {
  if (schema.Check(stored) && findHoursFaults(stored).length === 0) return stored;
  const { workspace_id, user_id } = owner;
  const name = user_id ?? workspace_id;
  const known = named.get(log) ?? new Set();
  named.set(log, known);
  if (!known.has(name)) {
    const ids = {
      workspace_id: publicId('workspace', workspace_id),
      ...(user_id !== undefined && { user_id: publicId('user', user_id) }),
    };
    log.warn(ids, 'stored hours cannot be read and count as none');
  }
  known.add(name);
  return undefined;
}
