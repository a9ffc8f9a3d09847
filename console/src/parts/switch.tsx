import { Switch as AriaSwitch } from 'react-aria-components';
import styles from './switch.module.css';

interface Props {
  label: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}

export function Switch({ label, ...props }: Props) {
  return (
    <AriaSwitch {...props} className={styles.switch!}>
      <span className={styles.track} aria-hidden>
        <span className={styles.knob} />
      </span>
      {label}
    </AriaSwitch>
  );
}
