import { useEffect } from 'react';
import { t } from '../words/words.ts';

/** Names the tab while the component is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = t('app.name');
    };
  }, [title]);
}
