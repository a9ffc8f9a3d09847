import { sentenceOf } from '../live/request.ts';
import { tell } from '../parts/toasts.ts';

/** Performs an action outside a form. The page tells why it was refused. */
export async function attempt(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    tell(sentenceOf(error), 'danger');
  }
}
