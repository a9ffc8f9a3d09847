import { Choice } from '../parts/choice.tsx';
import { t } from '../words/words.ts';
import { authors, periods, type SearchFilter, searchedKinds } from './search-filter.ts';
import styles from './search-results.module.css';

interface Props {
  filter: SearchFilter;
  onChange: (filter: SearchFilter) => void;
}

/** People, messages or both; of messages, whose and from when. */
export function SearchFilters({ filter, onChange }: Props) {
  const change = (part: Partial<SearchFilter>) => onChange({ ...filter, ...part });
  return (
    <div className={styles.filters}>
      <fieldset className={styles.kinds}>
        <legend className={styles.hidden}>{t('inbox.search_in')}</legend>
        {searchedKinds.map((kind) => (
          <button key={kind} type="button" aria-pressed={filter.kind === kind} onClick={() => change({ kind })}>
            {t(`inbox.search_kind_${kind}`)}
          </button>
        ))}
      </fieldset>
      {filter.kind !== 'people' && (
        <div className={styles.choices}>
          <Choice
            label={t('inbox.search_author')}
            isLabelHidden
            value={filter.author}
            options={authors.map((id) => ({ id, label: t(`inbox.search_author_${id}`) }))}
            onChange={(author) => change({ author })}
          />
          <Choice
            label={t('inbox.search_period')}
            isLabelHidden
            value={filter.period}
            options={periods.map((id) => ({ id, label: t(`inbox.search_period_${id}`) }))}
            onChange={(period) => change({ period })}
          />
        </div>
      )}
    </div>
  );
}
