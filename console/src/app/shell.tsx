import type { Session } from '@majlis/console-api';
import { mayAct, type Role } from '@majlis/console-api/roles';
import {
  Building2,
  ChevronsUpDown,
  KeyRound,
  LogOut,
  Menu as MenuIcon,
  MessagesSquare,
  ScrollText,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { isOutdatedStore } from '../live/live.ts';
import { signOut } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/button.tsx';
import { Empty, Loading } from '../parts/empty.tsx';
import { Menu } from '../parts/menu.tsx';
import { Notice } from '../parts/notice.tsx';
import type { WordId } from '../words/en.ts';
import { t } from '../words/words.ts';
import { ConnectionState } from './connection-state.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import styles from './shell.module.css';
import { UnknownPage } from './unknown-page.tsx';

// Loaded when they are opened: the first view needs none of them.
const ApiKeysPage = lazy(async () => ({ default: (await import('../settings/api-keys-page.tsx')).ApiKeysPage }));
const AuditPage = lazy(async () => ({ default: (await import('../settings/audit-page.tsx')).AuditPage }));
const MembersPage = lazy(async () => ({ default: (await import('../settings/members-page.tsx')).MembersPage }));
const ProfilePage = lazy(async () => ({ default: (await import('../settings/profile-page.tsx')).ProfilePage }));
const SecurityPage = lazy(async () => ({ default: (await import('../settings/security-page.tsx')).SecurityPage }));

export type Membership = Session['workspaces'][number];

interface Place {
  path: string;
  label: WordId;
  icon: ReactNode;
  least: Role;
}

const places: readonly Place[] = [
  { path: 'inbox', label: 'nav.inbox', icon: <MessagesSquare size={18} aria-hidden />, least: 'agent' },
  { path: 'members', label: 'nav.members', icon: <Users size={18} aria-hidden />, least: 'agent' },
  { path: 'api-keys', label: 'nav.api_keys', icon: <KeyRound size={18} aria-hidden />, least: 'admin' },
  { path: 'audit', label: 'nav.audit', icon: <ScrollText size={18} aria-hidden />, least: 'admin' },
];

/** The frame around every page: workspaces, navigation, the person. */
export function Shell({ session }: { session: Session }) {
  const [path] = useLocation();
  // The navigation of a small screen is open on one page: following a link closes it.
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === path;
  const close = () => setOpenAt(undefined);
  const here = /^\/w\/([^/]+)/.exec(path)?.[1];
  const membership = session.workspaces.find(({ workspace_id }) => workspace_id === here) ?? session.workspaces[0];
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {t('app.skip')}
      </a>
      <header className={styles.bar}>
        <Button
          look="quiet"
          aria-label={t('app.menu')}
          aria-expanded={isOpen}
          onPress={() => (isOpen ? close() : setOpenAt(path))}
        >
          <MenuIcon size={20} aria-hidden />
        </Button>
        <bdi className={styles.place}>{membership?.workspace_name ?? t('app.name')}</bdi>
        <ConnectionState />
      </header>
      {isOpen && (
        <button type="button" className={styles.scrim} tabIndex={-1} aria-label={t('app.close')} onClick={close} />
      )}
      <nav className={styles.nav} data-open={isOpen || undefined} aria-label={t('nav.workspace')}>
        <WorkspaceSwitcher session={session} current={membership} />
        {membership && <Places membership={membership} path={path} />}
        <div className={styles.end}>
          <ConnectionState />
          <AccountMenu session={session} />
        </div>
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        <Outdated />
        <ErrorBoundary key={path}>
          <Suspense fallback={<Loading label={t('app.loading')} />}>
            <Pages session={session} membership={membership} />
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

/** A page of an older version may misunderstand the service (danger C10). */
function Outdated() {
  const isOutdated = useStore(isOutdatedStore);
  if (!isOutdated) return null;
  return (
    <Notice action={<Button onPress={() => location.reload()}>{t('app.reload')}</Button>}>
      {t('app.new_version')}
    </Notice>
  );
}

function WorkspaceSwitcher({ session, current }: { session: Session; current: Membership | undefined }) {
  const [, navigate] = useLocation();
  const name = current?.workspace_name ?? t('app.name');
  const label = (
    <>
      <Avatar name={name} size="s" />
      <bdi className={styles.name}>{name}</bdi>
    </>
  );
  if (session.workspaces.length < 2) return <div className={styles.workspace}>{label}</div>;
  const entries = session.workspaces.map(({ workspace_id, workspace_name }) => ({
    id: workspace_id,
    label: workspace_name,
    isCurrent: workspace_id === current?.workspace_id,
  }));
  return (
    <Menu label={`${name}, ${t('nav.switch')}`} entries={entries} onAction={(id) => navigate(`/w/${id}/inbox`)}>
      {label}
      <ChevronsUpDown size={16} aria-hidden />
    </Menu>
  );
}

function Places({ membership, path }: { membership: Membership; path: string }) {
  return (
    <ul className={styles.places}>
      {places
        .filter(({ least }) => mayAct(membership.role, least))
        .map(({ path: name, label, icon }) => {
          const target = `/w/${membership.workspace_id}/${name}`;
          return (
            <li key={name}>
              <Link href={target} className={styles.link!} aria-current={path.startsWith(target) ? 'page' : undefined}>
                {icon}
                {t(label)}
              </Link>
            </li>
          );
        })}
    </ul>
  );
}

function AccountMenu({ session: { person } }: { session: Session }) {
  const [, navigate] = useLocation();
  const entries = [
    { id: '/profile', label: t('nav.profile'), icon: <UserRound size={16} aria-hidden /> },
    { id: '/security', label: t('nav.security'), icon: <ShieldCheck size={16} aria-hidden /> },
    { id: 'sign_out', label: t('nav.sign_out'), icon: <LogOut size={16} aria-hidden /> },
  ];
  return (
    <Menu
      label={`${person.name}, ${t('nav.account')}`}
      entries={entries}
      onAction={(id) => (id === 'sign_out' ? void signOut() : navigate(id))}
    >
      <Avatar name={person.name} size="s" />
      <bdi className={styles.name}>{person.name}</bdi>
    </Menu>
  );
}

function Pages({ session, membership }: { session: Session; membership: Membership | undefined }) {
  return (
    <Switch>
      <Route path="/profile">{() => <ProfilePage session={session} />}</Route>
      <Route path="/security">{() => <SecurityPage session={session} />}</Route>
      {membership && (
        <Route path="/w/:workspace/:page">
          {({ workspace, page }) => <WorkspacePages membership={membership} workspace={workspace} page={page} />}
        </Route>
      )}
      <Route path="/w/:workspace">{({ workspace }) => <Redirect to={`/w/${workspace}/inbox`} replace />}</Route>
      <Route>{() => (membership ? <UnknownPage /> : <NoWorkspace />)}</Route>
    </Switch>
  );
}

function WorkspacePages({ membership, workspace, page }: { membership: Membership; workspace: string; page: string }) {
  const place = places.find(({ path }) => path === page);
  const isKnown = membership.workspace_id === workspace && place && mayAct(membership.role, place.least);
  if (!isKnown) return <UnknownPage />;
  switch (page) {
    case 'members':
      return <MembersPage membership={membership} />;
    case 'api-keys':
      return <ApiKeysPage membership={membership} />;
    case 'audit':
      return <AuditPage membership={membership} />;
    default:
      return <InboxPage key={workspace} membership={membership} />;
  }
}

function NoWorkspace() {
  return <Empty icon={<Building2 aria-hidden />} title={t('nav.no_workspace')} hint={t('nav.no_workspace_hint')} />;
}
