import { Check, ChevronDown } from 'lucide-react';
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import styles from './choice.module.css';
import popover from './popover.module.css';

export interface Option<Id extends string> {
  id: Id;
  label: string;
  hint?: string;
}

interface Props<Id extends string> {
  label: string;
  /** The label is for screen readers alone. */
  isLabelHidden?: boolean;
  options: readonly Option<Id>[];
  value: Id | undefined;
  /** The label of a value that is no option any more. */
  gone?: string;
  onChange: (id: Id) => void;
  isDisabled?: boolean;
}

/** One of a few options. */
export function Choice<Id extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  gone,
  onChange,
  isDisabled = false,
}: Props<Id>) {
  return (
    <Select
      className={styles.choice!}
      value={value ?? null}
      onChange={(id) => id !== null && onChange(id as Id)}
      isDisabled={isDisabled}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Label className={styles.label!}>{label}</Label>}
      <Button className={styles.button!}>
        <SelectValue className={styles.value!}>
          {({ selectedText, defaultChildren }) => selectedText || gone || defaultChildren}
        </SelectValue>
        <ChevronDown size={16} aria-hidden />
      </Button>
      <Popover className={popover.popover!}>
        <ListBox className={popover.items!} items={options}>
          {({ id, label: text, hint }) => (
            <ListBoxItem className={popover.item!} id={id} textValue={text}>
              <span>
                {text}
                {hint && <small className={styles.hint}>{hint}</small>}
              </span>
              <Check size={16} className={popover.check} aria-hidden />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
