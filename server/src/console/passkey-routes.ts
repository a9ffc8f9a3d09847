import { consoleOperations, type PasskeyEntry } from '@majlis/console-api';
import { parseId, publicId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { addPasskey, beginPasskey } from '../people/passkeys/add-passkey.ts';
import { listPasskeys, type Passkey, renamePasskey } from '../people/passkeys/queries.ts';
import { readName } from '../people/passkeys/read-name.ts';
import { removePasskey } from '../people/passkeys/remove-passkey.ts';
import { beginProof } from '../people/passkeys/verify-passkey.ts';
import { lockOwner } from '../people/sessions.ts';
import type { SignInContext } from '../people/sign-in.ts';
import { throttleBeginning } from '../people/throttle.ts';
import type { ConsoleAnswer, ServeConsole } from './serve-console.ts';

export function passkeyRoutes(serve: ServeConsole, context: SignInContext): void {
  const { pool, limiter } = context;

  serve(consoleOperations.listPasskeys, async ({ session }) => ({
    status: 200,
    body: { data: (await listPasskeys(pool, session.person_id)).map(presentPasskey) },
  }));

  serve(consoleOperations.beginPasskey, async ({ session, client }) => {
    await throttleBeginning(limiter, client.address);
    return answerOptions(await beginPasskey(context, session));
  });

  serve(consoleOperations.addPasskey, async ({ session, body, client: { address } }) => ({
    status: 201,
    body: presentPasskey(await addPasskey(context, { session, ...body, address })),
  }));

  serve(consoleOperations.renamePasskey, async ({ session, params, body }) => {
    const id = requireId('passkey', params.passkey_id);
    const name = readName(body.name);
    await transaction(pool, async (tx) => {
      const { id: person_id } = await lockOwner(tx, session);
      if (!(await renamePasskey(tx, { person_id, id, name }))) throw new Refusal('not_found');
    });
    return { status: 204 };
  });

  serve(consoleOperations.removePasskey, async ({ session, params, client: { address } }) => {
    await removePasskey(context, { session, id: parseId('passkey', params.passkey_id), address });
    return { status: 204 };
  });

  serve(consoleOperations.beginPasskeySignIn, async ({ client }) => {
    await throttleBeginning(limiter, client.address);
    return answerOptions(await beginProof(context, undefined));
  });

  serve(consoleOperations.beginPasskeyConfirmation, async ({ session, client }) => {
    await throttleBeginning(limiter, client.address);
    return answerOptions(await beginProof(context, session));
  });
}

function answerOptions(options: object): ConsoleAnswer {
  return { status: 200, body: { options } };
}

function presentPasskey({ id, name, created_at, last_used_at }: Passkey): PasskeyEntry {
  return {
    id: publicId('passkey', id),
    name,
    created_at: created_at.toISOString(),
    ...(last_used_at && { last_used_at: last_used_at.toISOString() }),
  };
}
