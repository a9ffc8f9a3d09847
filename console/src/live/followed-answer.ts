import { listenToChanges } from './changes.ts';
import { createFollowed, type Followed, useFollowed } from './followed.ts';
import { request } from './request.ts';

/** Short lists that every view shows, by their path: the users of a workspace, its teams, the saved views. */
const answers = new Map<string, Followed<unknown>>();

/** The answer of the service to a path below `/workspaces/`. A change of a member or of the settings reads it again. */
export function useFollowedAnswer<Answer>(path: string): Answer | undefined {
  let followed = answers.get(path);
  if (!followed) {
    followed = createFollowed<unknown>(() => request('GET', path));
    answers.set(path, followed);
  }
  return useFollowed(followed).data as Answer | undefined;
}

/** Reads again what one workspace, or each of them, has answered. `name`: one list alone, as `views`. */
export function answersChanged(workspace_id = '', name = ''): void {
  const start = workspace_id === '' ? '/workspaces/' : `/workspaces/${workspace_id}/${name}`;
  for (const [path, followed] of answers) if (path.startsWith(start)) followed.invalidate();
}

listenToChanges({
  onChange({ kind, workspace_id }) {
    if (kind === 'member' || kind === 'settings') answersChanged(workspace_id);
    if (kind === 'saved_view') answersChanged(workspace_id, 'views');
  },
  onGap: () => answersChanged(),
  onForget: () => answers.clear(),
});
