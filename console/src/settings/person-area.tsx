import { Bell, ShieldCheck, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '../words/words.ts';
import styles from './person-area.module.css';

const pages = [
  { path: '/profile', label: 'nav.profile', icon: <UserRound size={16} aria-hidden /> },
  { path: '/notifications', label: 'person.notifications', icon: <Bell size={16} aria-hidden /> },
  { path: '/security', label: 'nav.security', icon: <ShieldCheck size={16} aria-hidden /> },
] as const;

/** The settings of the person: one navigation over all their pages. */
export function PersonArea({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <nav className={styles.nav} aria-label={t('person.settings')}>
        <ul>
          {pages.map(({ path: to, label, icon }) => (
            <li key={to}>
              <Link href={to} className={styles.link!} aria-current={to === path ? 'page' : undefined}>
                {icon}
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </>
  );
}
