import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import styles from './field.module.css';

interface Props extends TextFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Left to right in both languages: addresses, codes, keys. */
  ltr?: boolean;
}

export function Field({ label, hint, error, ltr = false, type, ...props }: Props) {
  const [isShown, setShown] = useState(false);
  const isPassword = type === 'password';
  const shownType = isPassword && isShown ? 'text' : type;
  return (
    <TextField
      {...props}
      {...(shownType && { type: shownType })}
      isInvalid={error !== undefined}
      // A fault that the server found must not keep the form from being sent again.
      validationBehavior={error === undefined ? 'native' : 'aria'}
      className={styles.field!}
    >
      <Label className={styles.label!}>{label}</Label>
      <div className={styles.box}>
        <Input className={styles.input!} dir={ltr || isPassword ? 'ltr' : 'auto'} />
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
        <Text slot="description" className={styles.hint!}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error!}>{error}</FieldError>
    </TextField>
  );
}
