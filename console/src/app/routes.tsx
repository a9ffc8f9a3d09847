import type { Session } from '@majlis/console-api';
import { Building2 } from 'lucide-react';
import { lazy } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Membership } from '../live/membership.ts';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';
import { addressOf, mayOpen, pagesOf, personPages, workspacePages } from './pages.ts';

// The first view has none of them.
const PersonArea = lazy(async () => ({ default: (await import('./person-area.tsx')).PersonArea }));
const SettingsArea = lazy(async () => ({ default: (await import('./settings-area.tsx')).SettingsArea }));
const ClosedPage = lazy(async () => ({ default: (await import('./unknown-page.tsx')).ClosedPage }));
const UnknownPage = lazy(async () => ({ default: (await import('./unknown-page.tsx')).UnknownPage }));

interface Props {
  session: Session;
  /** Of the workspace that the address names, or of the first one. */
  membership: Membership | undefined;
}

/** The page of the address. */
export function Routes({ session, membership }: Props) {
  return (
    <Switch>
      {personPages.map(({ path, page: Page, needsWorkspace }) => (
        <Route key={path} path={path}>
          <PersonArea path={path}>
            {needsWorkspace && !membership ? <NoWorkspace /> : <Page session={session} />}
          </PersonArea>
        </Route>
      ))}
      {!membership && <Route>{() => <NoWorkspace />}</Route>}
      {membership && (
        <Route path="/w/:workspace/:page/:object?">
          {({ workspace, page, object }) =>
            workspace === membership.workspace_id ? (
              <WorkspaceRoute membership={membership} path={page} object={object} />
            ) : (
              <ClosedPage what="workspace" />
            )
          }
        </Route>
      )}
      {membership && shortAddresses(membership)}
      <Route path="/w/:workspace">{({ workspace }) => <Redirect to={`/w/${workspace}/inbox`} replace />}</Route>
      <Route>{() => <UnknownPage />}</Route>
    </Switch>
  );
}

/** What people type, without the id of a workspace. */
function shortAddresses(membership: Membership) {
  const [inbox, settings] = [pagesOf(membership, 'work')[0], pagesOf(membership, 'settings')[0]];
  const targets = { '/': inbox, '/login': inbox, '/inbox': inbox, '/settings': settings };
  return Object.entries(targets).map(([path, row]) => (
    <Route key={path} path={path}>
      {row ? <Redirect to={addressOf(membership, row)} replace /> : <UnknownPage />}
    </Route>
  ));
}

interface Address {
  membership: Membership;
  path: string;
  object: string | undefined;
}

function WorkspaceRoute({ membership, path, object }: Address) {
  const row = workspacePages.find((known) => known.path === path);
  if (!row) return <UnknownPage />;
  if (!mayOpen(membership, row)) return <ClosedPage what="role" />;
  const page = <row.page key={`${membership.workspace_id} ${path}`} membership={membership} object={object} />;
  if (row.area !== 'settings') return page;
  return (
    <SettingsArea membership={membership} path={path}>
      {page}
    </SettingsArea>
  );
}

function NoWorkspace() {
  return (
    <Empty isPage icon={<Building2 aria-hidden />} title={t('nav.no_workspace')} hint={t('nav.no_workspace_hint')} />
  );
}
