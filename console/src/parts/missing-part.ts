import { useEffect } from 'react';
import { isPartMissingStore } from '../live/outdated.ts';

interface Props {
  onClose?: () => void;
  onEnd?: (isDone: boolean) => void;
}

/**
 * Stands where a part of the page is not there any more, as after an upgrade. It leaves what opened the part as before, so that
 * nothing around it is lost; the shell offers a reload. `others` throws where nothing opened it: a page, which the shell replaces.
 */
export function missingPart(error: unknown, others: 'empty' | 'throws') {
  return function MissingPart({ onClose, onEnd }: Props) {
    useEffect(() => {
      isPartMissingStore.set(true);
      onClose?.();
      onEnd?.(false);
    }, [onClose, onEnd]);
    if (!onClose && !onEnd && others === 'throws') throw error;
    return null;
  };
}
