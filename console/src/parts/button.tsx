import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './button.module.css';

interface Props extends ButtonProps {
  look?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Fills the line, as in a form. */
  wide?: boolean;
}

/** While `isPending`, the button keeps its size and takes no second press. */
export function Button({ look = 'plain', wide = false, ...props }: Props) {
  return <AriaButton {...props} className={styles.button!} data-look={look} data-wide={wide || undefined} />;
}
