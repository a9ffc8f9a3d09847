import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { queries } from '../live/queries.ts';
import { type SessionState, sessionStore } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { Toasts } from '../parts/toasts.tsx';
import { currentLanguage, currentLocale } from '../words/words.ts';
import { ConfirmDialog } from './confirm.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { SessionFailed, SessionLoading } from './session-states.tsx';
import { Shell } from './shell.tsx';

// A person who is signed in needs none of these.
const ConfirmedPage = lazy(async () => ({ default: (await import('../sign-in/confirmed-page.tsx')).ConfirmedPage }));
const EnterPage = lazy(async () => ({ default: (await import('../sign-in/enter-page.tsx')).EnterPage }));
const ForgotPage = lazy(async () => ({ default: (await import('../sign-in/forgot-page.tsx')).ForgotPage }));
const JoinPage = lazy(async () => ({ default: (await import('../sign-in/join-page.tsx')).JoinPage }));
const ResetPage = lazy(async () => ({ default: (await import('../sign-in/reset-page.tsx')).ResetPage }));
const SignInPage = lazy(async () => ({ default: (await import('../sign-in/sign-in-page.tsx')).SignInPage }));
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
            <Suspense fallback={<SessionLoading />}>
              <Switch>
                <Route path="/join" component={JoinPage} />
                <Route path="/reset" component={ResetPage} />
                <Route path="/enter" component={EnterPage} />
                <Route path="/confirmed" component={ConfirmedPage} />
                <Route path="/forgot" component={ForgotPage} />
                <Route path="/parts">
                  <PartsPage />
                </Route>
                <Route>{() => <Signed state={state} />}</Route>
              </Switch>
            </Suspense>
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
