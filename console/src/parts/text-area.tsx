import { type Ref, useId } from 'react';
import styles from './field.module.css';
import { useFault } from './form-faults.ts';

interface Props {
  label: string;
  hint?: string | undefined;
  rows?: number;
  area?: Ref<HTMLTextAreaElement>;
  name?: string;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  maxLength?: number;
  isRequired?: boolean;
  isDisabled?: boolean;
  isReadOnly?: boolean;
  autoFocus?: boolean;
  isInvalid?: boolean;
}

/** A field of several lines. The form that it stands in shows the refusals of the server below it, by its name. */
export function TextArea({
  label,
  hint,
  rows = 5,
  area,
  onChange,
  isRequired = false,
  isDisabled = false,
  isReadOnly = false,
  isInvalid = false,
  ...props
}: Props) {
  const id = useId();
  const { fault, forget } = useFault(props.name);
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const isWrong = isInvalid || fault !== undefined;
  return (
    <div className={styles.field} data-invalid={isWrong || undefined}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        <textarea
          {...props}
          ref={area}
          id={id}
          className={styles.area}
          dir="auto"
          placeholder=" "
          rows={rows}
          required={isRequired}
          disabled={isDisabled}
          readOnly={isReadOnly}
          aria-invalid={isWrong || undefined}
          aria-describedby={described || undefined}
          onChange={(event) => {
            forget();
            onChange?.(event.target.value);
          }}
        />
      </div>
      {hint && (
        <span className={styles.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault && (
        <span className={styles.error} id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}
