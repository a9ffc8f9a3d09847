import styles from './counts.module.css';

interface Count {
  name: string;
  text: string;
}

/** Large figures side by side, each with its name. */
export function Counts({ label, counts }: { label?: string; counts: readonly Count[] }) {
  return (
    <dl className={styles.counts} aria-label={label}>
      {counts.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
