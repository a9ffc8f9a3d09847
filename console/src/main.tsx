import '@fontsource/ibm-plex-sans-arabic/400.css';
import '@fontsource/ibm-plex-sans-arabic/500.css';
import '@fontsource/ibm-plex-sans-arabic/600.css';
import './styles/base.css';
import './styles/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
// A conversation that the address names: its code comes together with that of the frame.
import './inbox/load-pane.ts';
import { loadSession } from './live/session.ts';
import { chooseLanguage, setLanguage } from './words/words.ts';

await setLanguage(chooseLanguage());
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
await loadSession();
