import { consoleOperations } from '@majlis/console-api';
import { readSendGate } from '../messages/accept/read-send-gate.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function sendGateRoutes(serve: ServeConsole, resources: Resources): void {
  serve(consoleOperations.getSendGate, async ({ caller, params }) => ({
    status: 200,
    body: await readSendGate(resources, caller, params.conversation_id),
  }));
}
