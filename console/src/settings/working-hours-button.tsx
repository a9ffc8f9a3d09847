import { Suspense, useState } from 'react';
import { lazyDesk } from '../app/lazy-page.tsx';
import { Button } from '../parts/button.tsx';
import { insteadOfClosable } from '../parts/missing-part.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';

const WorkingHoursDialog = lazyDesk(
  async () => (await import('./working-hours-dialog.tsx')).WorkingHoursDialog,
  insteadOfClosable,
);

interface Props {
  workspace_id: string;
  user_id: string;
  /** Absent: the own hours. */
  name?: string;
  /** Absent: the usual one. */
  label?: string;
}

/** Opens the hours of a person. Their words and fields are loaded then. */
export function WorkingHoursButton({ workspace_id, user_id, name, label = t('work_hours.open') }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        {...(name && { look: 'quiet', 'aria-label': `${label}: ${isolated(name)}` })}
        onPress={() => setOpen(true)}
      >
        {label}
      </Button>
      <Suspense>
        {isOpen && (
          <WorkingHoursDialog
            {...{ workspace_id, user_id }}
            {...(name !== undefined && { name })}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}
