import { consoleOperations } from '@majlis/console-api';
import type { LiveStreams } from '../live/live-streams.ts';
import type { ServeConsole } from './serve-console.ts';

export function streamRoutes(serve: ServeConsole, live: LiveStreams): void {
  serve(consoleOperations.openStream, async ({ session: { id, person_id }, query, last_event_id }) => {
    const workspace_id = await live.admit(person_id);
    const listener = { session_id: id, person_id, workspace_id };
    return { status: 200, stream: (response) => live.open(response, listener, last_event_id ?? query.after) };
  });
}
