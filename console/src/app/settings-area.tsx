import { mayAct } from '@majlis/console-api/roles';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '../words/words.ts';
import { places } from './places.tsx';
import styles from './settings-area.module.css';
import type { Membership } from './shell.tsx';

/** The settings of the workspace: one list of their pages beside the open one. A small screen has the list in its menu. */
export function SettingsArea({
  membership,
  page,
  children,
}: {
  membership: Membership;
  page: string;
  children: ReactNode;
}) {
  return (
    <div className={styles.area}>
      <nav className={styles.nav} aria-label={t('nav.settings')}>
        <h2 className={styles.title}>{t('nav.settings')}</h2>
        <ul>
          {placesOf(membership, 'settings').map(({ path, label, icon }) => (
            <li key={path}>
              <Link
                href={`/w/${membership.workspace_id}/${path}`}
                className={styles.link!}
                aria-current={path === page ? 'page' : undefined}
              >
                {icon}
                <span className={styles.label}>{t(label)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  );
}

/** The places of an area that the role of the person reaches. */
export function placesOf({ role }: Membership, area: 'work' | 'settings') {
  return places.filter((place) => place.area === area && mayAct(role, place.least));
}
