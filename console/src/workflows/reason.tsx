import styles from './workflows.module.css';

/** Why a step or a run failed, in the words of the service: English, and in its own direction on an Arabic page too. */
export function Reason({ text }: { text: string }) {
  return (
    <p className={styles.reason} dir="auto">
      {text}
    </p>
  );
}
