import { FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { slotLabel } from '../composer/slot-label.ts';
import type { Slot } from '../composer/template-slots.ts';
import { detectEncoding } from '../contacts/import/read-csv.ts';
import { useStages } from '../live/directory.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';
import { type AudienceKind, audienceKinds, type Draft, type ReadList } from './draft.ts';
import { TagChoice } from './tag-choice.tsx';

interface Props {
  workspace_id: string;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  slots: readonly Slot[];
  list: ReadList;
}

/** To whom: a list with values for the variables, or contacts by tag or stage. */
export function AudienceFields({ workspace_id, draft, change, slots, list }: Props) {
  const stages = useStages(workspace_id);
  const { kind, tags, stage_id } = draft;
  return (
    <div className={styles.group}>
      <RadioGroup className={styles.kinds!} value={kind} onChange={(next) => change({ kind: next as AudienceKind })}>
        <Label className={styles.groupTitle!}>{t('broadcasts.audience')}</Label>
        <div className={styles.kindList}>
          {audienceKinds.map((option) => (
            <Radio
              key={option}
              value={option}
              className={styles.kind!}
              isDisabled={option !== 'recipients' && slots.length > 0}
            >
              {t(`broadcasts.by_${option}`)}
            </Radio>
          ))}
        </div>
      </RadioGroup>
      {slots.length > 0 && <p className={styles.soft}>{t('broadcasts.list_alone')}</p>}
      {kind === 'tags' && (
        <TagChoice workspace_id={workspace_id} value={tags} onChange={(next) => change({ tags: next })} />
      )}
      {kind === 'stage' && (
        <Choice
          label={t('broadcasts.stage')}
          options={stages.map(({ id, name }) => ({ id, label: name }))}
          value={stage_id}
          onChange={(id) => change({ stage_id: id })}
        />
      )}
      {kind === 'recipients' && <ListFields draft={draft} change={change} slots={slots} list={list} />}
    </div>
  );
}

const mostBytes = 4 * 1_048_576;

function ListFields({ draft, change, slots, list: { table, columns } }: Omit<Props, 'workspace_id'>) {
  const picker = useRef<HTMLInputElement>(null);
  async function open(file: File) {
    if (file.size > mostBytes) return tell(t('broadcasts.file_too_large'), 'danger');
    const bytes = new Uint8Array(await file.arrayBuffer());
    change({ text: new TextDecoder(detectEncoding(bytes)).decode(bytes).replace(/^\ufeff/, ''), columns: undefined });
  }
  const names = Array.from({ length: table.width }, (_, index) => ({
    id: String(index),
    label: table.header?.[index] || t('broadcasts.column', { number: index + 1 }),
    hint: table.rows[0]?.[index] ?? '',
  }));
  return (
    <>
      <TextArea
        label={t('broadcasts.list')}
        hint={t(slots.length > 0 ? 'broadcasts.list_hint_values' : 'broadcasts.list_hint', { count: slots.length })}
        name="list"
        rows={6}
        value={draft.text}
        onChange={(text) => change({ text })}
      />
      <div className={styles.actions}>
        <Button onPress={() => picker.current?.click()}>
          <FileUp size={16} aria-hidden />
          {t('broadcasts.choose_file')}
        </Button>
        <span className={styles.soft} role="status">
          {table.rows.length > 0 && t('broadcasts.rows', { count: table.rows.length })}
        </span>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={t('broadcasts.choose_file')}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void open(file);
            currentTarget.value = '';
          }}
        />
      </div>
      {table.width > 1 && (
        <div className={styles.pair}>
          <Choice
            label={t('broadcasts.phone_column')}
            options={names}
            value={String(columns.phone)}
            onChange={(id) => change({ columns: { ...columns, phone: Number(id) } })}
          />
          {slots.map((slot, index) => (
            <Choice
              key={`${slot.part} ${slot.number}`}
              label={slot.name ? slotLabel(slot) : t('broadcasts.value_column', { number: index + 1 })}
              options={names}
              value={columns.values[index]! < 0 ? undefined : String(columns.values[index])}
              onChange={(id) => {
                change({ columns: { ...columns, values: columns.values.with(index, Number(id)) } });
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}
