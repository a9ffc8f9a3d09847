import { loadWords } from '../words/words.ts';

let loading: ReturnType<typeof load> | undefined;

/** Loads what a person sees and what works for them while they are signed in. */
export const loadShell = () => {
  loading ??= load().catch((error: unknown) => {
    // The next attempt loads again.
    loading = undefined;
    throw error;
  });
  return loading;
};

async function load() {
  const [shell, { startWork }] = await Promise.all([
    import('./shell.tsx'),
    import('./start-work.ts'),
    loadWords('frame'),
  ]);
  startWork();
  return shell;
}

// The address is a page of a workspace: most likely somebody is signed in. The code is loaded while the session is read.
if (location.pathname.startsWith('/w/')) void loadShell();
