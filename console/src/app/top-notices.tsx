import { ConnectionBar } from './connection-bar.tsx';
import { OutdatedBar } from './outdated-bar.tsx';
import styles from './shell.module.css';

/** Across the top of every page, in as many lines as the words need. The pages fill what is left. */
export function TopNotices({ isLive }: { isLive: boolean }) {
  return (
    <div ref={tellHeight} className={styles.notices}>
      <OutdatedBar />
      {isLive && <ConnectionBar />}
    </div>
  );
}

function tellHeight(notices: HTMLElement | null) {
  if (!notices) return;
  const frame = notices.parentElement!;
  const observer = new ResizeObserver(() => {
    frame.style.setProperty('--notices', `${notices.getBoundingClientRect().height}px`);
  });
  observer.observe(notices);
  return () => observer.disconnect();
}
