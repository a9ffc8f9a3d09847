import { randomBytes, randomUUID, scrypt } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { CannotRun } from './cannot-run.ts';
import type { Config } from './config.ts';
import { inDataDir, prepareDataDir } from './data-dir.ts';

export interface LocalSecrets {
  /** Bearer token of /operator. */
  operator_token: string;
  /** 32 bytes that encrypt stored secrets, such as platform tokens. */
  secret_key: Buffer;
  /** Former keys, which open what they sealed. */
  old_secret_keys: Buffer[];
}

/** Loads the secrets of this installation from the settings, or from DATA_DIR, where the first start creates them. */
export async function loadLocalSecrets(
  config: Pick<Config, 'dataDir' | 'operatorToken' | 'secretKey' | 'secretKeyOld'>,
): Promise<LocalSecrets> {
  const { dataDir } = config;
  const operator_token = config.operatorToken ?? (await readOrMake(dataDir, 'operator-token'));
  const secret = config.secretKey ?? (await readOrMake(dataDir, 'secret-key'));
  const old = readOldKeys(config.secretKeyOld ?? (await readKept(dataDir, 'secret-key-old')));
  const [secret_key, ...old_secret_keys] = await Promise.all([secret, ...old].map(deriveKey));
  return { operator_token, secret_key: secret_key!, old_secret_keys };
}

/** One key or several, separated by commas. The whole counts too, because a phrase may contain commas. */
function readOldKeys(text: string | undefined): string[] {
  const parts = text?.split(',').map((part) => part.trim()) ?? [];
  return [...new Set([text ?? '', ...parts])].filter((part) => part !== '');
}

function readKept(dataDir: string, name: string): Promise<string | undefined> {
  return inDataDir(dataDir, async () => (await readFile(path.join(dataDir, name), 'utf8').catch(ifMissing))?.trim());
}

/** The token of the simulator's control API, made like the other secrets of this installation. */
export async function loadSimulatorToken({
  dataDir,
  simulatorToken,
}: Pick<Config, 'dataDir' | 'simulatorToken'>): Promise<string> {
  return simulatorToken ?? (await readOrMake(dataDir, 'simulator-token'));
}

/** The token that a command sends to the running service. */
export async function findOperatorToken(config: Pick<Config, 'dataDir' | 'operatorToken'>): Promise<string> {
  if (config.operatorToken) return config.operatorToken;
  const file = path.join(config.dataDir, 'operator-token');
  const token = await readFile(file, 'utf8').catch(() => '');
  if (token.trim() === '')
    throw new CannotRun(`no operator token: set OPERATOR_TOKEN, or DATA_DIR to that of the service (no ${file})`);
  return token.trim();
}

/** Reads a random secret from a file in DATA_DIR. Creates the file with mode 0600 if it is missing. */
function readOrMake(dataDir: string, name: string): Promise<string> {
  return inDataDir(dataDir, async () => {
    const file = path.join(dataDir, name);
    const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EISDIR') throw new CannotRun(`${file} is a folder: ${remedy}`);
      return ifMissing(error);
    });
    if (known === undefined) {
      await prepareDataDir(dataDir);
      await writeOnce(file, randomBytes(32).toString('base64url'));
    }
    // If two services start at once, both use the secret of the first.
    const secret = (known ?? (await readFile(file, 'utf8'))).trim();
    if (secret === '') throw new CannotRun(`${file} is empty: ${remedy}`);
    return secret;
  });
}

const remedy = 'restore it, or remove it to have a new one made';

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Writes a file atomically. An existing file stays as it is. */
export async function writeOnce(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(fresh, { force: true });
  }
}

/** Derives the same key from the same text. The derivation is slow on purpose, since SECRET_KEY may be a phrase. */
function deriveKey(secret: string): Promise<Buffer> {
  return promisify<string, string, number, Buffer>(scrypt)(secret, 'majlis secret key', 32);
}
