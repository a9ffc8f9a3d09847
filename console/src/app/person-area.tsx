import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '../words/words.ts';
import { personPages } from './pages.ts';
import styles from './person-area.module.css';

/** The settings of the person: one navigation over all their pages. */
export function PersonArea({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <nav className={styles.nav} aria-label={t('person.settings')}>
        <ul>
          {personPages.map(({ path: to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                ref={to === path ? reveal : undefined}
                href={to}
                className={styles.link!}
                aria-current={to === path ? 'page' : undefined}
              >
                <Icon size={16} aria-hidden />
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

/** A phone has no room for all of them beside each other. */
function reveal(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
