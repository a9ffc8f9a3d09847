import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Failure } from './failure.ts';

/** Where an integrator's commands go, and with which key. */
export interface Profile {
  url: string;
  key: string;
  workspace_id: string;
  workspace_name: string;
}

interface ProfileFile {
  profiles: Record<string, Profile>;
}

export const defaultProfile = 'default';

export function configFile(): string {
  return path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'majlis', 'config.json');
}

export async function readProfiles(): Promise<ProfileFile> {
  const file = configFile();
  const found = await stat(file).catch(ifMissing);
  if (!found) return { profiles: {} };
  // Windows has no such modes.
  if ((found.mode & 0o077) !== 0 && process.platform !== 'win32') {
    throw new Failure('unauthorized', `${file} holds API keys and others may read it: run chmod 600 ${file}`);
  }
  const content = parse(await readFile(file, 'utf8'));
  if (!content) throw new Failure('failed', `${file} is damaged: remove it, and run majlis login again.`);
  return content;
}

function parse(text: string): ProfileFile | undefined {
  try {
    const content = JSON.parse(text);
    return typeof content?.profiles === 'object' && content.profiles !== null ? content : undefined;
  } catch {
    return undefined;
  }
}

export async function findProfile(name: string): Promise<Profile | undefined> {
  const { profiles } = await readProfiles();
  return Object.hasOwn(profiles, checkProfileName(name)) ? profiles[name] : undefined;
}

/** Stores the profile, or removes it. */
export async function writeProfile(name: string, profile: Profile | undefined): Promise<void> {
  const content = await readProfiles();
  if (profile) content.profiles[checkProfileName(name)] = profile;
  else delete content.profiles[name];
  await replaceFile(configFile(), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** The name is part of a file's name too. */
export function checkProfileName(name: string): string {
  if (/^[a-z0-9][\w.-]{0,63}$/i.test(name)) return name;
  throw new Failure(
    'usage',
    'The name of a profile has letters, digits, points, dashes and underscores, 64 at most, and begins with a letter or digit.',
  );
}

/** Replaces the content at once, readable by its owner alone. A crash leaves the old content or the new one. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw new Failure('failed', `${file} cannot be written: ${(error as Error).message}`);
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
