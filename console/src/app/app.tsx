import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { queries } from '../live/queries.ts';
import { type SessionState, sessionStore } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { Toasts } from '../parts/toasts.tsx';
import { ConfirmedPage } from '../sign-in/confirmed-page.tsx';
import { EnterPage } from '../sign-in/enter-page.tsx';
import { ForgotPage } from '../sign-in/forgot-page.tsx';
import { JoinPage } from '../sign-in/join-page.tsx';
import { ResetPage } from '../sign-in/reset-page.tsx';
import { SignInPage } from '../sign-in/sign-in-page.tsx';
import { currentLanguage, currentLocale } from '../words/words.ts';
import { ConfirmDialog } from './confirm.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { SessionFailed, SessionLoading } from './session-states.tsx';
import { Shell } from './shell.tsx';

const PartsPage = lazy(async () => ({ default: (await import('../parts/parts-page.tsx')).PartsPage }));

export function App() {
  const state = useStore(sessionStore);
  const [, navigate] = useLocation();
  return (
    // The key renders every word anew when the language changes.
    <I18nProvider key={currentLanguage()} locale={currentLocale()}>
      <RouterProvider navigate={navigate}>
        <QueryClientProvider client={queries}>
          <ErrorBoundary>
            <Switch>
              <Route path="/join" component={JoinPage} />
              <Route path="/reset" component={ResetPage} />
              <Route path="/enter" component={EnterPage} />
              <Route path="/confirmed" component={ConfirmedPage} />
              <Route path="/forgot" component={ForgotPage} />
              <Route path="/parts">
                <Suspense>
                  <PartsPage />
                </Suspense>
              </Route>
              <Route>{() => <Signed state={state} />}</Route>
            </Switch>
            <ConfirmDialog />
          </ErrorBoundary>
          <Toasts />
        </QueryClientProvider>
      </RouterProvider>
    </I18nProvider>
  );
}

function Signed({ state }: { state: SessionState }) {
  const [path] = useLocation();
  switch (state.type) {
    case 'loading':
      return <SessionLoading />;
    case 'failed':
      return <SessionFailed failure={state.failure} />;
    case 'signed_out':
      return <SignInPage wasSignedIn={state.wasSignedIn} />;
    case 'signed_in': {
      const [first] = state.session.workspaces;
      if (path === '/' && first) return <Redirect to={`/w/${first.workspace_id}/inbox`} replace />;
      return <Shell session={state.session} />;
    }
  }
}
