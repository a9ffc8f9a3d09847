import type { Session } from '@majlis/console-api';
import { mayAct } from '@majlis/console-api/roles';
import {
  Bell,
  Building2,
  ChevronsUpDown,
  LogOut,
  Menu as MenuIcon,
  Search,
  Settings,
  ShieldCheck,
  UserRound,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { isOutdatedStore } from '../live/outdated.ts';
import { signOut } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { PageTitle } from '../notices/page-title.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/button.tsx';
import { Empty, Loading } from '../parts/empty.tsx';
import { Menu } from '../parts/menu.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { ConnectionState } from './connection-state.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Front } from './front.tsx';
import { lazyDesk, lazyPart } from './lazy-page.tsx';
import { paletteStore } from './palette-store.ts';
import { type Place, places } from './places.tsx';
import { Providers } from './providers.tsx';
import { placesOf, SettingsArea } from './settings-area.tsx';
import styles from './shell.module.css';
import { ShellCommands } from './shell-commands.tsx';
import { UnknownPage } from './unknown-page.tsx';

// Loaded when they are opened: the first view needs none of them.
const ApiKeysPage = lazyPart(async () => (await import('../settings/api-keys-page.tsx')).ApiKeysPage);
const AuditPage = lazyDesk(async () => (await import('../settings/audit-page.tsx')).AuditPage);
const BoardPage = lazyPart(async () => (await import('../board/board-page.tsx')).BoardPage);
const ConsentsPage = lazyPart(async () => (await import('../contacts/consents-page.tsx')).ConsentsPage);
const ConsentWordsPage = lazyPart(async () => (await import('../settings/consent-words-page.tsx')).ConsentWordsPage);
const CannedRepliesPage = lazyPart(async () => (await import('../settings/canned-replies-page.tsx')).CannedRepliesPage);
const MembersPage = lazyDesk(async () => (await import('../settings/members-page.tsx')).MembersPage);
const NotificationsPage = lazyPart(async () => (await import('../settings/notifications-page.tsx')).NotificationsPage);
const PersonArea = lazyPart(async () => (await import('../settings/person-area.tsx')).PersonArea);
const ProfilePage = lazyPart(async () => (await import('../settings/profile-page.tsx')).ProfilePage);
const SecurityPage = lazyPart(async () => (await import('../settings/security-page.tsx')).SecurityPage);

const BroadcastsPage = lazyDesk(async () => (await import('../broadcasts/broadcasts-page.tsx')).BroadcastsPage);
const AiPage = lazyDesk(async () => (await import('../ai/ai-page.tsx')).AiPage);
const AnalyticsPage = lazyDesk(async () => (await import('../analytics/analytics-page.tsx')).AnalyticsPage);
const BillingPage = lazyDesk(async () => (await import('../settings/billing/billing-page.tsx')).BillingPage);
const ChannelsPage = lazyDesk(async () => (await import('../settings/channels/channels-page.tsx')).ChannelsPage);
const ContactsPage = lazyDesk(async () => (await import('../contacts/contacts-page.tsx')).ContactsPage);
const ListsPage = lazyDesk(async () => (await import('../settings/lists/lists-page.tsx')).ListsPage);
const TeamsPage = lazyDesk(async () => (await import('../settings/teams/teams-page.tsx')).TeamsPage);
const ReceiptsPage = lazyDesk(async () => (await import('../settings/receipts/receipts-page.tsx')).ReceiptsPage);
const TemplatesPage = lazyDesk(async () => (await import('../templates/templates-page.tsx')).TemplatesPage);
const WorkflowsPage = lazyDesk(async () => (await import('../workflows/workflows-page.tsx')).WorkflowsPage);
const WebhooksPage = lazyDesk(async () => (await import('../settings/webhooks/webhooks-page.tsx')).WebhooksPage);
const WorkspacePage = lazyDesk(async () => (await import('../settings/workspace/workspace-page.tsx')).WorkspacePage);

export type Membership = Session['workspaces'][number];

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
        {session.simulator_url && <DemoMark />}
        <ConnectionState />
      </header>
      {isOpen && (
        <button type="button" className={styles.scrim} tabIndex={-1} aria-label={t('app.close')} onClick={close} />
      )}
      <ShellCommands membership={membership} />
      {membership && <PageTitle key={membership.workspace_id} workspace_id={membership.workspace_id} />}
      <nav className={styles.nav} data-open={isOpen || undefined} aria-label={t('nav.workspace')}>
        <WorkspaceSwitcher session={session} current={membership} />
        {session.simulator_url && <DemoMark />}
        {membership && <Places membership={membership} path={path} />}
        <div className={styles.end}>
          <PaletteButton />
          <ConnectionState />
          <AccountMenu session={session} />
        </div>
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        <Outdated />
        <ErrorBoundary key={pageOf(path)}>
          <Suspense fallback={<Loading label={t('app.loading')} />}>
            <Pages session={session} membership={membership} />
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

/** Nobody takes simulated customers for real ones. */
function DemoMark() {
  return (
    <span className={styles.demo} title={t('nav.demo_hint')}>
      {t('nav.demo')}
    </span>
  );
}

function Places({ membership, path }: { membership: Membership; path: string }) {
  const settings = placesOf(membership, 'settings');
  const isSetting = settings.some((place) => path.startsWith(addressOf(membership, place)));
  return (
    <div className={styles.places}>
      <ul className={styles.list}>
        {placesOf(membership, 'work').map((place) => (
          <PlaceLink key={place.path} membership={membership} path={path} place={place} />
        ))}
        {settings[0] && (
          <li className={styles.settings}>
            <Link
              href={addressOf(membership, settings[0])}
              className={styles.link!}
              aria-current={isSetting || undefined}
            >
              <Settings size={18} aria-hidden />
              <span className={styles.label}>{t('nav.settings')}</span>
            </Link>
          </li>
        )}
      </ul>
      {/* The menu of a small screen names every setting. */}
      <div className={styles.group}>
        <p className={styles.heading}>{t('nav.settings')}</p>
        <ul className={styles.list}>
          {settings.map((place) => (
            <PlaceLink key={place.path} membership={membership} path={path} place={place} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function PlaceLink({ membership, path, place }: { membership: Membership; path: string; place: Place }) {
  const target = addressOf(membership, place);
  return (
    <li>
      <Link href={target} className={styles.link!} aria-current={path.startsWith(target) ? 'page' : undefined}>
        {place.icon}
        <span className={styles.label}>{t(place.label)}</span>
      </Link>
    </li>
  );
}

function addressOf({ workspace_id }: Membership, { path }: Place): string {
  return `/w/${workspace_id}/${path}`;
}

/** Opens the palette with the pointer, so that people come to know it. */
function PaletteButton() {
  return (
    <button type="button" className={styles.link} onClick={() => paletteStore.set('commands')}>
      <Search size={18} aria-hidden />
      <span className={styles.label}>{t('palette.open')}</span>
    </button>
  );
}

function AccountMenu({ session: { person } }: { session: Session }) {
  const [, navigate] = useLocation();
  const entries = [
    { id: '/profile', label: t('nav.profile'), icon: <UserRound size={16} aria-hidden /> },
    { id: '/notifications', label: t('person.notifications'), icon: <Bell size={16} aria-hidden /> },
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

const personPages = [
  { path: '/profile', page: ProfilePage, needsWorkspace: false },
  { path: '/notifications', page: NotificationsPage, needsWorkspace: true },
  { path: '/security', page: SecurityPage, needsWorkspace: false },
];

function Pages({ session, membership }: { session: Session; membership: Membership | undefined }) {
  return (
    <Switch>
      {personPages.map(({ path, page: PersonPage, needsWorkspace }) => (
        <Route key={path} path={path}>
          <PersonArea path={path}>
            {needsWorkspace && !membership ? <NoWorkspace /> : <PersonPage session={session} />}
          </PersonArea>
        </Route>
      ))}
      {membership && (
        <Route path="/w/:workspace/:page/:object?">
          {(address) => <WorkspacePages membership={membership} {...address} />}
        </Route>
      )}
      <Route path="/w/:workspace">{({ workspace }) => <Redirect to={`/w/${workspace}/inbox`} replace />}</Route>
      <Route>{() => (membership ? <UnknownPage /> : <NoWorkspace />)}</Route>
    </Switch>
  );
}

interface WorkspaceAddress {
  membership: Membership;
  workspace: string;
  page: string;
  /** What the page shows of many, as a conversation. */
  object?: string | undefined;
}

function WorkspacePages(address: WorkspaceAddress) {
  const { membership, workspace, page, object } = address;
  const place = places.find(({ path }) => path === page);
  const isKnown = membership.workspace_id === workspace && place && mayAct(membership.role, place.least);
  if (page === 'contact-consents' && object && membership.workspace_id === workspace) {
    return <ConsentsPage key={object} membership={membership} contact_id={object} />;
  }
  if (!isKnown) return <UnknownPage />;
  if (place.area === 'work') return <PlacePage {...address} />;
  return (
    <SettingsArea membership={membership} page={page}>
      <PlacePage {...address} />
    </SettingsArea>
  );
}

function PlacePage({ membership, workspace, page, object }: WorkspaceAddress) {
  switch (page) {
    case 'board':
      return <BoardPage key={workspace} membership={membership} />;
    case 'broadcasts':
      return <BroadcastsPage key={workspace} membership={membership} broadcast_id={object} />;
    case 'canned-replies':
      return <CannedRepliesPage key={workspace} membership={membership} />;
    case 'members':
      return <MembersPage membership={membership} />;
    case 'api-keys':
      return <ApiKeysPage membership={membership} />;
    case 'teams':
      return <TeamsPage key={workspace} membership={membership} />;
    case 'lists':
      return <ListsPage key={workspace} membership={membership} list={object} />;
    case 'workspace':
      return <WorkspacePage key={workspace} membership={membership} />;
    case 'channels':
      return <ChannelsPage key={workspace} membership={membership} channel_id={object} />;
    case 'contacts':
      return <ContactsPage key={workspace} membership={membership} contact_id={object} />;
    case 'templates':
      return <TemplatesPage key={workspace} membership={membership} template_id={object} />;
    case 'workflows':
      return <WorkflowsPage key={workspace} membership={membership} workflow_id={object} />;
    case 'webhooks':
      return <WebhooksPage membership={membership} endpoint_id={object} />;
    case 'ai':
      return <AiPage key={workspace} membership={membership} />;
    case 'analytics':
      return <AnalyticsPage key={workspace} membership={membership} />;
    case 'billing':
      return <BillingPage key={workspace} membership={membership} />;
    case 'consent':
      return <ConsentWordsPage membership={membership} />;
    case 'receipts':
      return <ReceiptsPage key={workspace} membership={membership} contact_id={object} />;
    case 'audit':
      return <AuditPage membership={membership} />;
    default:
      return <InboxPage key={workspace} membership={membership} conversation_id={object} />;
  }
}

function NoWorkspace() {
  return (
    <Empty isPage icon={<Building2 aria-hidden />} title={t('nav.no_workspace')} hint={t('nav.no_workspace_hint')} />
  );
}
