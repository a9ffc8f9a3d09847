import type { Session } from '@majlis/console-api';
import { Menu as MenuIcon } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { PageTitle } from '../notices/page-title.tsx';
import { Button } from '../parts/button.tsx';
import { PageSkeleton } from '../parts/skeleton.tsx';
import { t } from '../words/words.ts';
import { ConnectionState } from './connection-state.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Front } from './front.tsx';
import { AccountMenu, DemoMark, Navigation, PaletteButton, WorkspaceSwitcher } from './navigation.tsx';
import { findPage } from './pages.ts';
import { Providers } from './providers.tsx';
import { Routes } from './routes.tsx';
import styles from './shell.module.css';
import { ShellCommands } from './shell-commands.tsx';
import { TopNotices } from './top-notices.tsx';

/** The frame around every page: workspaces, navigation, the person. */
export function Shell({ session }: { session: Session }) {
  return (
    <Providers>
      <Frame session={session} />
    </Providers>
  );
}

function Frame({ session }: { session: Session }) {
  const [path] = useLocation();
  // The navigation of a small screen is open on one page: following a link closes it.
  const [openAt, setOpenAt] = useState<string>();
  const menuButton = useRef<HTMLButtonElement>(null);
  const isOpen = openAt === path;
  function close() {
    setOpenAt(undefined);
    menuButton.current?.focus();
  }
  const here = /^\/w\/([^/]+)/.exec(path)?.[1];
  const membership = session.workspaces.find(({ workspace_id }) => workspace_id === here) ?? session.workspaces[0];
  const label = findPage(path)?.label;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the navigation wherever in it the focus is.
    <div className={styles.shell} onKeyDown={(event) => isOpen && event.key === 'Escape' && close()}>
      <a className={styles.skip} href="#content" inert={isOpen}>
        {t('app.skip')}
      </a>
      <TopNotices isLive={membership !== undefined} />
      <header className={styles.bar}>
        <Button
          ref={menuButton}
          look="quiet"
          aria-label={t('app.menu')}
          aria-expanded={isOpen}
          onPress={() => (isOpen ? close() : setOpenAt(path))}
        >
          <MenuIcon size={20} aria-hidden />
        </Button>
        <bdi className={styles.place}>{membership?.workspace_name ?? t('app.name')}</bdi>
        {session.simulator_url && <DemoMark />}
        {membership && <ConnectionState />}
      </header>
      {isOpen && (
        <button type="button" className={styles.scrim} tabIndex={-1} aria-label={t('app.close')} onClick={close} />
      )}
      <ShellCommands membership={membership} />
      <PageTitle
        key={membership?.workspace_id}
        workspace_id={membership?.workspace_id}
        {...(label && { where: t(label) })}
      />
      <nav className={styles.nav} data-open={isOpen || undefined} aria-label={t('nav.workspace')}>
        <WorkspaceSwitcher session={session} current={membership} />
        {session.simulator_url && <DemoMark />}
        {membership && <Navigation membership={membership} path={path} />}
        <div className={styles.end}>
          <PaletteButton />
          {/* Without a workspace nothing changes that the page would follow. */}
          {membership && <ConnectionState />}
          <AccountMenu session={session} />
        </div>
      </nav>
      {/* Behind the open navigation nothing takes the focus. */}
      <main className={styles.main} id="content" tabIndex={-1} inert={isOpen}>
        <ErrorBoundary key={pageOf(path)}>
          <Suspense fallback={<PageSkeleton />}>
            <Routes session={session} membership={membership} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Front />
    </div>
  );
}

/** `/w/{workspace}/{page}`: another conversation is the same page. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 4).join('/');
}
