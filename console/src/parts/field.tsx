import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useId, useState } from 'react';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import styles from './field.module.css';
import { useFault } from './form-faults.ts';

type Given = Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength' | 'minLength' | 'name' | 'pattern' | 'type'
>;

interface Props extends Given {
  label: string;
  hint?: string | undefined;
  /** Left to right in both languages: addresses, codes, keys. */
  ltr?: boolean | undefined;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  isRequired?: boolean;
  isDisabled?: boolean;
  isInvalid?: boolean;
}

/** The form that it stands in shows the refusals of the server below it, by its name. */
export function Field({
  label,
  hint,
  ltr = false,
  type,
  onChange,
  isRequired = false,
  isDisabled = false,
  isInvalid = false,
  ...props
}: Props) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const { fault, forget } = useFault(props.name);
  const isPassword = type === 'password';
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const isWrong = isInvalid || fault !== undefined;
  return (
    <div className={styles.field} data-invalid={isWrong || undefined}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        {/* A placeholder tells the styles when the field is empty. */}
        <input
          {...props}
          id={id}
          type={isPassword && isShown ? 'text' : type}
          className={styles.input}
          dir={ltr || isPassword ? 'ltr' : 'auto'}
          placeholder=" "
          required={isRequired}
          disabled={isDisabled}
          aria-invalid={isWrong || undefined}
          aria-describedby={described || undefined}
          onChange={(event) => {
            forget();
            onChange?.(event.target.value);
          }}
        />
        {isPassword && (
          <Button
            look="quiet"
            aria-label={t(isShown ? 'sign_in.hide_password' : 'sign_in.show_password')}
            onPress={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
          </Button>
        )}
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
