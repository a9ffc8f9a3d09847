import type { Ref } from 'react';
import {
  TextArea as AriaTextArea,
  FieldError,
  Label,
  Text,
  TextField,
  type TextFieldProps,
} from 'react-aria-components';
import styles from './field.module.css';

interface Props extends TextFieldProps {
  label: string;
  hint?: string;
  rows?: number;
  area?: Ref<HTMLTextAreaElement>;
}

/** A field of several lines. The form that it stands in shows the refusals of the server below it, by its name. */
export function TextArea({ label, hint, rows = 5, area, ...props }: Props) {
  return (
    <TextField {...props} className={styles.field!}>
      <Label className={styles.label!}>{label}</Label>
      <div className={styles.box}>
        <AriaTextArea {...(area && { ref: area })} className={styles.area!} dir="auto" placeholder=" " rows={rows} />
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
