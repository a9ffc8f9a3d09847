import { randomBytes } from 'node:crypto';
import { operations } from '@majlis/contract';
import { ApiError, Majlis, MajlisError } from '@majlis/sdk';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createCursorCodec } from '../http/cursor.ts';
import type { Principal } from '../mcp/call-tool.ts';
import { createConfirmations } from '../mcp/confirmation.ts';
import { createMcpServer } from '../mcp/create-server.ts';
import { type OperationCall, type PerformOperation, pathOfCall, RefusedCall } from '../mcp/perform-operation.ts';
import { CannotRun } from '../process/cannot-run.ts';

/** `majlis mcp`: the tools over stdin and stdout, for clients that start a program. They act through a running service. */
export async function serveMcp({ url }: { url?: string }): Promise<void> {
  const perform = performThrough(connect(url));
  const principal = await readPrincipal(perform);
  // A token is redeemed by the process that issued it.
  const confirmations = createConfirmations(createCursorCodec(randomBytes(32)), () => Date.now());
  const onBug = (error: unknown) => void process.stderr.write(`majlis: a tool failed: ${String(error)}\n`);
  // An operation that the service does not serve answers 404.
  const context = { principal, perform, confirmations, coming_soon: true, onBug };
  serveStdio(() => createMcpServer(context));
}

function connect(url: string | undefined): Majlis {
  try {
    return new Majlis(url === undefined ? {} : { baseUrl: url });
  } catch (error) {
    throw error instanceof MajlisError ? new CannotRun(error.message) : error;
  }
}

function performThrough(client: Majlis): PerformOperation {
  return async (operation, call) => {
    const { body, idempotency_key: idempotencyKey } = call;
    const request = { method: operation.method, path: pathOfCall(operation, call as OperationCall), body };
    try {
      return await client.request(request, idempotencyKey === undefined ? {} : { idempotencyKey });
    } catch (error) {
      if (error instanceof ApiError) {
        const { status, code, detail = error.message, errors, retryAfter_seconds: retry_after_seconds } = error;
        throw new RefusedCall({ code: code ?? `status ${status}`, detail, errors, retry_after_seconds });
      }
      if (error instanceof MajlisError) throw new RefusedCall({ code: 'no_answer', detail: error.message });
      throw error;
    }
  };
}

async function readPrincipal(perform: PerformOperation): Promise<Principal> {
  try {
    return (await perform(operations.getKey, {})) as Principal;
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    throw new CannotRun(`the service refuses the key: ${error.refusal.detail ?? error.refusal.code}`);
  }
}
