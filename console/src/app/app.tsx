import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { type SessionState, sessionStore } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { languageStore } from '../words/words.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyOwn, lazyPart } from './lazy-page.tsx';
import { loadShell } from './load-shell.ts';
import { SessionFailed, SessionLoading } from './session-states.tsx';

// A stranger needs no shell, and a person who is signed in none of the others.
const Shell = lazy(async () => ({ default: (await loadShell()).Shell }));
const ConfirmedPage = lazy(async () => ({ default: (await import('../sign-in/confirmed-page.tsx')).ConfirmedPage }));
const EnterPage = lazyPart(async () => (await import('../sign-in/enter-page.tsx')).EnterPage);
const ForgotPage = lazy(async () => ({ default: (await import('../sign-in/forgot-page.tsx')).ForgotPage }));
const JoinPage = lazyOwn(async () => (await import('../sign-in/join-page.tsx')).JoinPage);
const ResetPage = lazyOwn(async () => (await import('../sign-in/reset-page.tsx')).ResetPage);
const SignInPage = lazy(async () => ({ default: (await import('../sign-in/sign-in-page.tsx')).SignInPage }));
const PartsPage = lazyPart(async () => (await import('./parts-in-frame.tsx')).PartsInFrame);

export function App() {
  const state = useStore(sessionStore);
  const language = useStore(languageStore);
  return (
    // The key renders every word anew when the language changes.
    <ErrorBoundary key={language}>
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
    </ErrorBoundary>
  );
}

function Signed({ state }: { state: SessionState }) {
  switch (state.type) {
    case 'loading':
      return <SessionLoading />;
    case 'failed':
      return <SessionFailed failure={state.failure} />;
    case 'signed_out':
      return <SignInPage wasSignedIn={state.wasSignedIn} />;
    case 'signed_in':
      return <Shell session={state.session} />;
  }
}
