import { readFile } from 'node:fs/promises';
import { readConfig } from '../../process/config.ts';
import { Failure } from '../failure.ts';

/** The control API of the simulator, which plays the platform and the customers. */
export interface SimulatorDoor {
  url: string;
  token: string;
}

/** Finds the simulator of this machine by the settings that `npm start` has too. */
export async function findSimulator(url: string | undefined): Promise<SimulatorDoor> {
  const { simulatorHost, simulatorPort, simulatorToken, dataDir } = readConfig(process.env, 'apply');
  const file = `${dataDir}/simulator-token`;
  const token = simulatorToken ?? (await readFile(file, 'utf8').catch(() => ''));
  if (token.trim() === '') {
    throw new Failure(
      'unauthorized',
      `There is no token of the simulator: set SIMULATOR_TOKEN, or DATA_DIR to that of npm start (no ${file}).`,
    );
  }
  return { url: (url ?? `http://${simulatorHost}:${simulatorPort}`).replace(/\/+$/, ''), token: token.trim() };
}

/** Calls the control API and answers the body. */
export async function askSimulator<Body>(
  { url, token }: SimulatorDoor,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(`${url}/control${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => {
    throw new Failure('unavailable', `No simulator answers at ${url}: npm start runs one, majlis serve does not.`);
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as Body;
  const kind = response.status === 401 ? 'unauthorized' : 'refused';
  throw new Failure(kind, `The simulator answers ${response.status}: ${reasonOf(text)}`);
}

function reasonOf(text: string): string {
  try {
    return String(JSON.parse(text).error);
  } catch {
    return text.slice(0, 200);
  }
}
