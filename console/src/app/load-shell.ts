/** Loads what a person sees who is signed in. */
export const loadShell = () => import('./shell.tsx');

// The address is a page of a workspace: most likely somebody is signed in. The code is loaded while the session is read.
if (location.pathname.startsWith('/w/')) void loadShell();
