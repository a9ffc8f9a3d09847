import type { Session } from '@majlis/console-api';
import { ChevronsUpDown, LogOut, Search, Settings } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { Membership } from '../live/membership.ts';
import { signOut } from '../live/session.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Menu } from '../parts/menu.tsx';
import { t } from '../words/words.ts';
import { attempt } from './attempt.ts';
import { addressOf, pagesOf, personPages, type WorkspacePage } from './pages.ts';
import { openPalette } from './palette-store.ts';
import styles from './shell.module.css';

export function WorkspaceSwitcher({ session, current }: { session: Session; current: Membership | undefined }) {
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
export function DemoMark() {
  return (
    <span className={styles.demo} title={t('nav.demo_hint')}>
      {t('nav.demo')}
    </span>
  );
}

export function Navigation({ membership, path }: { membership: Membership; path: string }) {
  const settings = pagesOf(membership, 'settings');
  const isSetting = settings.some((row) => isAt(path, addressOf(membership, row)));
  return (
    <div className={styles.places}>
      <ul className={styles.list}>
        {pagesOf(membership, 'work').map((row) => (
          <PageLink key={row.path} membership={membership} path={path} row={row} />
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
          {settings.map((row) => (
            <PageLink key={row.path} membership={membership} path={path} row={row} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function PageLink({ membership, path, row }: { membership: Membership; path: string; row: WorkspacePage }) {
  const target = addressOf(membership, row);
  return (
    <li>
      <Link href={target} className={styles.link!} aria-current={isAt(path, target) ? 'page' : undefined}>
        <row.icon size={18} aria-hidden />
        <span className={styles.label}>{t(row.label)}</span>
      </Link>
    </li>
  );
}

/** `/w/1/consent` is no page of `/w/1/consents`. */
function isAt(path: string, target: string): boolean {
  return path === target || path.startsWith(`${target}/`);
}

/** Opens the palette with the pointer, so that people come to know it. */
export function PaletteButton() {
  return (
    <button type="button" className={styles.link} onClick={openPalette}>
      <Search size={18} aria-hidden />
      <span className={styles.label}>{t('palette.open')}</span>
    </button>
  );
}

export function AccountMenu({ session: { person } }: { session: Session }) {
  const [, navigate] = useLocation();
  const entries = [
    ...personPages.map(({ path, label, icon: Icon }) => ({
      id: path,
      label: t(label),
      icon: <Icon size={16} aria-hidden />,
    })),
    { id: 'sign_out', label: t('nav.sign_out'), icon: <LogOut size={16} aria-hidden /> },
  ];
  return (
    <Menu
      label={`${person.name}, ${t('nav.account')}`}
      entries={entries}
      onAction={(id) => (id === 'sign_out' ? void attempt(signOut) : navigate(id))}
    >
      <Avatar name={person.name} size="s" />
      <bdi className={styles.name}>{person.name}</bdi>
    </Menu>
  );
}
