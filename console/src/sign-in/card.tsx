import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { useTitle } from '../parts/use-title.ts';
import { currentLanguage, languageNames, languages, setLanguage, t } from '../words/words.ts';
import styles from './card.module.css';

/** The frame of the pages outside a workspace. */
export function Card({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  useTitle(`${title} · ${t('app.name')}`);
  return (
    <div className={styles.page}>
      <main className={styles.card} id="content">
        <header className={styles.header}>
          <img className={styles.mark} src="/assets/icon.svg" alt="" width="40" height="40" />
          <h1>{title}</h1>
          {hint && <p className={styles.hint}>{hint}</p>}
        </header>
        {children}
      </main>
      <LanguageSwitch />
    </div>
  );
}

function LanguageSwitch() {
  const [other] = languages.filter((language) => language !== currentLanguage());
  return (
    <Button look="quiet" onPress={() => setLanguage(other!)}>
      <span lang={other}>{languageNames[other!]}</span>
    </Button>
  );
}

export const linkStyle = styles.link!;
