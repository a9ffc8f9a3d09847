import type { BroadcastCreate, Template } from '@majlis/contract';
import { slotsOf } from '../composer/template-slots.ts';
import {
  guessColumns,
  type RecipientColumns,
  type RecipientTable,
  readTable,
  toRecipients,
} from './read-recipients.ts';

export const audienceKinds = ['recipients', 'tags', 'stage'] as const;
export type AudienceKind = (typeof audienceKinds)[number];

/** A broadcast in the making. */
export interface Draft {
  name: string;
  channel_id: string | undefined;
  template_id: string | undefined;
  kind: AudienceKind;
  tags: readonly string[];
  stage_id: string | undefined;
  /** The pasted list, or the text of the chosen file. */
  text: string;
  /** Undefined: as guessed. */
  columns: RecipientColumns | undefined;
}

export const emptyDraft: Draft = {
  name: '',
  channel_id: undefined,
  template_id: undefined,
  kind: 'recipients',
  tags: [],
  stage_id: undefined,
  text: '',
  columns: undefined,
};

export interface ReadList {
  table: RecipientTable;
  columns: RecipientColumns;
}

/** Columns chosen for another template or list do not count. */
export function readList({ text, columns }: Draft, values: number): ReadList {
  const table = readTable(text);
  const fits =
    columns && columns.values.length === values && [columns.phone, ...columns.values].every((one) => one < table.width);
  return { table, columns: fits ? columns : guessColumns(table, values) };
}

/** What is sent and to whom: of the preview and of the broadcast. */
export type BroadcastRequest = Pick<BroadcastCreate, 'channel_id' | 'template' | 'audience'>;

export function requestOf(draft: Draft, template: Template): BroadcastRequest {
  const { kind, tags, stage_id, channel_id } = draft;
  const { name, language } = template;
  const list = kind === 'recipients' ? readList(draft, slotsOf(template).length) : undefined;
  return {
    ...(channel_id !== undefined && { channel_id }),
    template: { name, language },
    audience: list
      ? { recipients: toRecipients(list.table, list.columns) }
      : kind === 'tags'
        ? { tags: [...tags] }
        : { stage_id: stage_id! },
  };
}
