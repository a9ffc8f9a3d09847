import { PartsPage } from '../parts/parts-page.tsx';
import { Providers } from './providers.tsx';

/** The page of the parts is outside the shell, and has the same around it. */
export function PartsInFrame() {
  return (
    <Providers>
      <PartsPage />
    </Providers>
  );
}
