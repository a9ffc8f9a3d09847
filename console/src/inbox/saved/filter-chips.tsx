import type { ViewFilter } from '@majlis/console-api';
import { X } from 'lucide-react';
import { useLocation } from 'wouter';
import { type ContactAddress, useContact } from '../../contacts/contact-data.ts';
import { useKnownStages, useTeams } from '../../live/directory.ts';
import type { Membership } from '../../live/membership.ts';
import { useUsers } from '../../live/users.ts';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { filterNames, filterOfView, type View, viewOfFilter, viewPath } from '../views.ts';
import styles from './filter-chips.module.css';
import { nameOfChannel } from './filter-fields.tsx';

interface Props {
  membership: Membership;
  view: View;
  onSave: () => void;
}

/** The filters of the list, each with the button that takes it away. */
export function FilterChips({ membership: { workspace_id }, view, onSave }: Props) {
  const [, navigate] = useLocation();
  const filter = filterOfView(view) ?? {};
  const nameOf = useNames(workspace_id);
  return (
    <div className={styles.bar}>
      <ul className={styles.chips} aria-label={t('views.filters')}>
        {filterNames.map((name) => {
          const { [name]: value, ...others } = filter;
          if (!value) return null;
          const remove = () => navigate(viewPath(workspace_id, viewOfFilter(others)));
          return name === 'contact_id' ? (
            <ContactChip key={name} address={{ workspace_id, contact_id: value }} onRemove={remove} />
          ) : (
            <Chip key={name} label={t(labels[name])} text={nameOf(name, value)} onRemove={remove} />
          );
        })}
      </ul>
      <button type="button" className={styles.save} onClick={onSave}>
        {t('views.filter_save')}
      </button>
    </div>
  );
}

interface ChipProps {
  label: string;
  text: string;
  onRemove: () => void;
}

function Chip({ label, text, onRemove }: ChipProps) {
  return (
    <li className={styles.chip}>
      <span className={styles.text}>
        {label}: <bdi>{text}</bdi>
      </span>
      <button
        type="button"
        aria-label={t('views.filter_remove', { name: `${label}: ${isolated(text)}` })}
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}

function ContactChip({ address, onRemove }: { address: ContactAddress; onRemove: () => void }) {
  const { data } = useContact(address).query;
  const text = data?.name ?? data?.identities[0]?.identifier ?? address.contact_id;
  return <Chip label={t('views.contact')} text={text} onRemove={onRemove} />;
}

const labels = {
  status: 'views.status',
  assignee_id: 'views.assignee',
  channel_type: 'views.channel',
  stage_id: 'views.stage',
  team_id: 'views.team',
  tag: 'views.tag',
  q: 'views.text',
} as const;

/** What a filter asks for, in words. An id that names nothing here was removed. */
function useNames(workspace_id: string): (name: keyof ViewFilter, value: string) => string {
  const users = useUsers(workspace_id);
  const teams = useTeams(workspace_id);
  const stages = useKnownStages(workspace_id);
  const named = (list: readonly { id: string; name?: string }[] | undefined, value: string) =>
    list ? (list.find(({ id }) => id === value)?.name ?? t('panel.removed')) : '';
  return (name, value) => {
    switch (name) {
      case 'status':
        return t(value === 'closed' ? 'views.status_closed' : 'views.status_open');
      case 'assignee_id':
        if (value === 'me') return t('views.assignee_me');
        return value === 'none' ? t('views.assignee_none') : named(users, value);
      case 'team_id':
        return named(teams, value);
      case 'stage_id':
        return named(stages, value);
      case 'channel_type':
        return nameOfChannel(value);
      default:
        return value;
    }
  };
}
