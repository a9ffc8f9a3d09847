import type { ViewFilter } from '@majlis/console-api';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Membership } from '../../live/membership.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { t } from '../../words/words.ts';
import { filterOfView, type View, viewOfFilter, viewPath } from '../views.ts';
import { FilterFields } from './filter-fields.tsx';

interface Props {
  membership: Membership;
  current: View;
  onClose: () => void;
}

/** Filters the list. The address has the filters, so that a reload or a colleague sees the same. */
export function FilterDialog({ membership: { workspace_id }, current, onClose }: Props) {
  const [filter, setFilter] = useState<ViewFilter>(filterOfView(current) ?? { status: 'open' });
  const [, navigate] = useLocation();
  return (
    <Dialog title={t('views.filter')} onClose={onClose}>
      <Form
        place="dialog"
        submit={t('views.filter_show')}
        onCancel={onClose}
        send={async () => {
          onClose();
          navigate(viewPath(workspace_id, viewOfFilter(filter)));
        }}
      >
        <FilterFields workspace_id={workspace_id} filter={filter} onChange={setFilter} />
      </Form>
    </Dialog>
  );
}
