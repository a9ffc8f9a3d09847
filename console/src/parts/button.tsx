import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'disabled' | 'onClick'> {
  look?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** Fills the line, as in a form. */
  wide?: boolean;
  onPress?: (() => unknown) | undefined;
  isDisabled?: boolean | undefined;
  isPending?: boolean | undefined;
}

/** While `isPending`, the button keeps its size and its focus, and takes no second press. */
export function Button({
  look = 'plain',
  wide = false,
  type = 'button',
  onPress,
  isDisabled = false,
  isPending = false,
  ...props
}: Props) {
  return (
    <button
      {...props}
      type={type}
      className={styles.button}
      data-look={look}
      data-wide={wide || undefined}
      data-pending={isPending || undefined}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      onClick={(event) => (isPending ? event.preventDefault() : void onPress?.())}
    />
  );
}
