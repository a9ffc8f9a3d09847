import { useRef, useState } from 'react';

const fadeMs = 1_200;

/** Something that is shown while something moves, and for a moment after it. */
export function useFading(): [isShown: boolean, show: () => void] {
  const [isShown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  function show() {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(false), fadeMs);
    setShown(true);
  }
  return [isShown, show];
}
