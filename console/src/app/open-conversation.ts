import { navigate } from 'wouter/use-browser-location';
import { settleFocus } from '../parts/settle-focus.ts';

/** Opens a conversation that no row leads to. The focus goes to its composer: shortcuts act there, and the next Tab leads into the field. */
export function openConversation(workspace_id: string, id: string): void {
  navigate(`/w/${workspace_id}/inbox/${id}`);
  settleFocus(() => {
    const composer = document.querySelector<HTMLElement>(`[data-composer="${id}"]`);
    composer?.focus();
    return composer !== null && document.activeElement === composer;
  });
}
