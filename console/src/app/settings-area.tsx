import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Membership } from '../live/membership.ts';
import { t } from '../words/words.ts';
import { addressOf, pagesOf } from './pages.ts';
import styles from './settings-area.module.css';

/** The settings of the workspace: one list of their pages beside the open one. A small screen has the list in its menu. */
export function SettingsArea({
  membership,
  path,
  children,
}: {
  membership: Membership;
  path: string;
  children: ReactNode;
}) {
  return (
    <div className={styles.area}>
      <nav className={styles.nav} aria-label={t('nav.settings')}>
        <h2 className={styles.title}>{t('nav.settings')}</h2>
        <ul>
          {pagesOf(membership, 'settings').map((row) => (
            <li key={row.path}>
              <Link
                href={addressOf(membership, row)}
                className={styles.link!}
                aria-current={row.path === path ? 'page' : undefined}
              >
                <row.icon size={18} aria-hidden />
                <span className={styles.label}>{t(row.label)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  );
}
