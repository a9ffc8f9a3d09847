import type { Config } from '../process/config.ts';
import { findOperatorToken } from '../process/local-secrets.ts';
import type { OperatorDoor } from './ask-operator.ts';

/** Finds the running service by the command's option or by the settings. */
export async function findDoor(config: Config, url: string | undefined): Promise<OperatorDoor> {
  return { url: (url ?? config.serviceUrl).replace(/\/+$/, ''), token: await findOperatorToken(config) };
}
