import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import styles from './field.module.css';

interface Props extends TextFieldProps {
  label: string;
  hint?: string;
  /** Left to right in both languages: addresses, codes, keys. */
  ltr?: boolean;
}

/** The form that it stands in shows the refusals of the server below it, by its name. */
export function Field({ label, hint, ltr = false, type, ...props }: Props) {
  const [isShown, setShown] = useState(false);
  const isPassword = type === 'password';
  const shownType = isPassword && isShown ? 'text' : type;
  return (
    <TextField {...props} {...(shownType && { type: shownType })} className={styles.field!}>
      <Label className={styles.label!}>{label}</Label>
      <div className={styles.box}>
        {/* A placeholder tells the styles when the field is empty. */}
        <Input className={styles.input!} dir={ltr || isPassword ? 'ltr' : 'auto'} placeholder=" " />
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
      <FieldError className={styles.error!} />
    </TextField>
  );
}
