export interface WorkspaceSlots {
  /** False where the workspace has all of its places in use: the place is not taken then. */
  acquire(workspace_id: string, endpoint_id: string): boolean;
  release(workspace_id: string, endpoint_id: string): void;
  /** Endpoints of crowded workspaces, and how many places each may have at most. */
  narrowed(): Iterable<readonly [endpoint_id: string, places: number]>;
}

/**
 * Divides the places of one process between workspaces: one with a thousand endpoints gets no more than one with two. A
 * workspace that has more than half of its places in use has the rest divided between its endpoints before they are
 * claimed; below that it is the endpoints' own bound that counts.
 */
export function createWorkspaceSlots(max: number): WorkspaceSlots {
  const workspaces = new Map<string, { taken: number; endpoints: Map<string, number> }>();

  return {
    acquire(workspace_id, endpoint_id) {
      const workspace = workspaces.get(workspace_id) ?? { taken: 0, endpoints: new Map<string, number>() };
      workspaces.set(workspace_id, workspace);
      const taken = workspace.endpoints.get(endpoint_id) ?? 0;
      const isFree = workspace.taken < max;
      // Behind the others, as the one that was served last. One that got nothing is known from now on, too.
      if (isFree) workspace.endpoints.delete(endpoint_id);
      workspace.endpoints.set(endpoint_id, isFree ? taken + 1 : taken);
      if (isFree) workspace.taken++;
      return isFree;
    },
    release(workspace_id, endpoint_id) {
      const workspace = workspaces.get(workspace_id)!;
      workspace.taken--;
      workspace.endpoints.set(endpoint_id, workspace.endpoints.get(endpoint_id)! - 1);
      if (workspace.taken === 0) workspaces.delete(workspace_id);
    },
    *narrowed() {
      for (const { taken, endpoints } of workspaces.values()) {
        if (taken * 2 <= max) continue;
        const free = max - taken;
        let rest = free % endpoints.size;
        for (const [endpoint_id, own] of endpoints) {
          yield [endpoint_id, own + Math.floor(free / endpoints.size) + (rest-- > 0 ? 1 : 0)];
        }
      }
    },
  };
}
