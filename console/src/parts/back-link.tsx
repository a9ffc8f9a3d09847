import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import styles from './back-link.module.css';

/** Leads from a page to the list that it belongs to. The arrow points to where a line starts, in both directions of writing. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className={styles.back!}>
      <ArrowLeft size={18} data-directional aria-hidden />
      {children}
    </Link>
  );
}
