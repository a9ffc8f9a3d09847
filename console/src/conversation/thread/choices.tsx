import { CornerDownLeft, List } from 'lucide-react';
import styles from './choices.module.css';

interface Props {
  label: string;
  choices: readonly { title: string; description?: string }[];
  isList?: boolean;
}

/** The buttons that the customer sees under a message. They are shown, not pressed. */
export function Choices({ label, choices, isList = false }: Props) {
  const Icon = isList ? List : CornerDownLeft;
  return (
    <ul className={styles.choices} aria-label={label}>
      {choices.map(({ title, description }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the choices of a message never change.
        <li key={at}>
          <Icon size={14} data-directional aria-hidden />
          <span dir="auto">
            {title}
            {description && <small dir="auto">{description}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}
