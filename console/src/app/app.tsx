import { lazy, Suspense } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { type SessionState, sessionStore } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { currentLanguage, currentLocale } from '../words/words.ts';
import { ConfirmDialog } from './confirm.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyPart } from './lazy-page.tsx';
import { loadShell } from './load-shell.ts';
import { SessionFailed, SessionLoading } from './session-states.tsx';
import { Toasts } from './toasts.tsx';

// A stranger needs no shell, and a person who is signed in none of the others.
const Shell = lazy(async () => ({ default: (await loadShell()).Shell }));
const ConfirmedPage = lazy(async () => ({ default: (await import('../sign-in/confirmed-page.tsx')).ConfirmedPage }));
const EnterPage = lazyPart(async () => (await import('../sign-in/enter-page.tsx')).EnterPage);
const ForgotPage = lazy(async () => ({ default: (await import('../sign-in/forgot-page.tsx')).ForgotPage }));
const JoinPage = lazyPart(async () => (await import('../sign-in/join-page.tsx')).JoinPage);
const ResetPage = lazyPart(async () => (await import('../sign-in/reset-page.tsx')).ResetPage);
const SignInPage = lazy(async () => ({ default: (await import('../sign-in/sign-in-page.tsx')).SignInPage }));
const PartsPage = lazy(async () => ({ default: (await import('../parts/parts-page.tsx')).PartsPage }));

export function App() {
  const state = useStore(sessionStore);
  const [, navigate] = useLocation();
  return (
    // The key renders every word anew when the language changes.
    <I18nProvider key={currentLanguage()} locale={currentLocale()}>
      <RouterProvider navigate={navigate}>
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
