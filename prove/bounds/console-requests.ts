import { type ConsoleOperation, type ConsoleOperationId, consoleOperations } from '@majlis/console-api';
import type { Bounds } from '../../server/src/http/body/check-bounds.ts';
import { type BoundedRequest, type Names, pathOf, requestsTo } from './bounded-requests.ts';

/** Every text, list and object of every operation of the console alone, at its bound, in every shape. */
export function consoleRequests(bounds: Bounds, names: Names): BoundedRequest[] {
  const all: ConsoleOperation[] = Object.values(consoleOperations);
  return all.flatMap((operation) => {
    const { id, body, query } = operation;
    const bases = body ? (bodies(names)[id as ConsoleOperationId] ?? [{}]) : [];
    const required = ((query?.required ?? []) as string[]).map((name): [string, string] => [name, 'x']);
    return requestsTo({ operation, bases, query: Object.fromEntries(required), bounds, names });
  });
}

/** Requests without anything of note to each operation that does not end what the others need. */
export function plainConsoleRequests(names: Names): BoundedRequest[] {
  return (Object.values(consoleOperations) as ConsoleOperation[])
    .filter(({ method, streams, id }) => method !== 'DELETE' && !streams && id !== 'signOut')
    .map((operation) => {
      const { id, method, body, query } = operation;
      const required = ((query?.required ?? []) as string[]).map((name): [string, string] => [name, 'x']);
      const search = new URLSearchParams(required);
      const base = body && (bodies(names)[id as ConsoleOperationId]?.[0] ?? {});
      const path = `${pathOf(operation, names)}?${search}`;
      return { title: id, method, path, ...(base && { body: JSON.stringify(base) }) };
    });
}

/** The quote of the largest audience, whose prices depend on the country of each number. */
export function quoteOfMany({ workspace_id }: Names): BoundedRequest {
  const starts = ['+96650', '+97150', '+9689'];
  const recipients = Array.from({ length: 10_000 }, (_, n) => {
    return { to: starts[n % starts.length]! + String(1_000_000 + n), params: ['Muna', 'A-1042'] };
  });
  const body = JSON.stringify({ template: { name: 'order_update', language: 'en' }, audience: { recipients } });
  return { title: 'the quote of 10,000', method: 'POST', path: `/console/v1/workspaces/${workspace_id}/quote`, body };
}

/** Bodies that the operations accept, or refuse late. */
function bodies({ email, message_id, stage_id }: Names): { [Id in ConsoleOperationId]?: object[] } {
  const token = 'x'.repeat(43);
  const response = { clientDataJSON: 'e30', attestationObject: 'e30', authenticatorData: 'e30', signature: 'e30' };
  const passkey = { id: 'e30', rawId: 'e30', type: 'public-key', clientExtensionResults: {}, response };
  const filter = { status: 'open', stage_id };
  return {
    signIn: [{ email, password: 'wrong horse battery' }],
    signInWithCode: [{ code: '123456' }],
    readLink: [{ token }],
    signInWithLink: [{ token }],
    signInWithPasskey: [passkey],
    acceptInvitation: [{ token, name: 'Muna', password: 'correct horse battery' }],
    requestPasswordReset: [{ email }],
    resetPassword: [{ token, password: 'correct horse battery' }],
    addPasskey: [{ name: 'Phone', response: passkey }],
    renamePasskey: [{ name: 'Phone' }],
    confirmIdentity: [{ password: 'wrong horse battery' }, { passkey }],
    changePassword: [{ password: 'correct horse battery' }],
    enableTotp: [{ code: '123456' }],
    inviteMember: [{ email: 'muna@acme.example', role: 'agent' }],
    createApiKey: [{ name: 'Shop', environment: 'test', scopes: [] }],
    setReadMark: [{ last_read_message_id: message_id }],
    saveDraft: [{ body: 'Hello' }],
    createSavedView: [{ name: 'Open', filter }],
    changeSavedView: [{ filter }],
    createCannedReply: [{ name: 'hello', body: 'Hello' }],
    restoreConversation: [{ expected: {}, restored: {} }],
    editContact: [{ expected: {}, changes: {} }],
  };
}
