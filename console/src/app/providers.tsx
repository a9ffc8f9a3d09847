import type { ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { useLocation } from 'wouter';
import { currentLocale } from '../words/words.ts';
import { ConfirmDialog } from './confirm.tsx';
import { Toasts } from './toasts.tsx';

/** What the parts of the component library need around them. The pages for strangers have none of these parts. */
export function Providers({ children }: { children: ReactNode }) {
  const [, navigate] = useLocation();
  return (
    <I18nProvider locale={currentLocale()}>
      <RouterProvider navigate={navigate}>
        {children}
        <ConfirmDialog />
        <Toasts />
      </RouterProvider>
    </I18nProvider>
  );
}
