import { readFile } from 'node:fs/promises';
import type { ReceiptKey } from '@majlis/console-api';
import { verifyReceipt } from '../contacts/erase/receipts/verify-receipt.ts';
import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';

interface VerifyOptions {
  key?: string;
  url?: string;
}

const askMs = 30_000;

/** `majlis receipt verify FILE`: exits with 0 if the installation signed the receipt as it is, 1 otherwise. */
export async function verifyReceiptFile(file: string, { key, url }: VerifyOptions): Promise<void> {
  const document = parse(await read(file), file);
  const keys = key === undefined ? await askKeys(url) : [{ public_key: await read(key) }];
  const verdict = verify(document, keys, key ?? 'the service');
  if (!verdict.valid) {
    process.stderr.write(`majlis: the receipt is NOT valid: ${verdict.reason}\n`);
    process.exitCode = 1;
    return;
  }
  const { receipt, key_id } = verdict.signed;
  const { contact_id, workspace_id, erased_at, actor, deleted } = receipt;
  const counts = Object.entries(deleted).filter(([, count]) => count > 0);
  const lines = [
    `The receipt is valid: key ${key_id} signed it, and nothing was changed since.`,
    `${contact_id} of ${workspace_id} was erased at ${erased_at} by ${actor.kind} ${actor.id}.`,
    ...counts.map(([kind, count]) => `  ${kind}: ${count}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function verify(document: unknown, keys: Pick<ReceiptKey, 'public_key'>[], source: string) {
  try {
    return verifyReceipt(document, keys);
  } catch (error) {
    throw new CannotRun(`${source} has no public key in PEM`, { cause: error });
  }
}

async function askKeys(url: string | undefined): Promise<ReceiptKey[]> {
  const door = (url ?? readConfig(process.env, 'events').serviceUrl).replace(/\/+$/, '');
  try {
    const response = await fetch(`${door}/console/v1/receipt-keys`, { signal: AbortSignal.timeout(askMs) });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    return ((await response.json()) as { data: ReceiptKey[] }).data;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotRun(`no public key from ${door} (${reason}): name the service with --url, or a key with --key`, {
      cause: error,
    });
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CannotRun(`${file} cannot be read`, { cause: error });
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CannotRun(`${file} is not JSON`, { cause: error });
  }
}
