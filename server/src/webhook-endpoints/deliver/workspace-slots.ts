export interface WorkspaceSlots {
  /** Takes a slot; false where the workspace has all its slots in use. */
  acquire(workspace_id: string, endpoint_id: string): boolean;
  release(workspace_id: string, endpoint_id: string): void;
  /** Endpoints of workspaces near their limit, with the most slots of each. */
  narrowed(): Iterable<readonly [endpoint_id: string, slots: number]>;
}

/**
 * Limits each workspace to `max` slots, so one with a thousand endpoints gets no more than one with two. Beyond half of
 * them, the free slots are divided between the endpoints; below, only the limit per endpoint counts.
 */
export function createWorkspaceSlots(max: number): WorkspaceSlots {
  const workspaces = new Map<string, { taken: number; endpoints: Map<string, number> }>();

  return {
    acquire(workspace_id, endpoint_id) {
      const workspace = workspaces.get(workspace_id) ?? { taken: 0, endpoints: new Map<string, number>() };
      workspaces.set(workspace_id, workspace);
      const taken = workspace.endpoints.get(endpoint_id) ?? 0;
      const isFree = workspace.taken < max;
      // Re-inserted last, as the one served last. An endpoint without a slot is recorded too.
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
