import type { Connection } from '../database/pool.ts';
import type { SecretBox } from './encrypt.ts';

/** A row with sealed values. */
export interface SealedRow {
  /** Its place in the order of the rows. */
  position: readonly string[];
  /** Ids for people. */
  names: Readonly<Record<string, string>>;
  /** Seals with the present key what an old one sealed. A row that changed in the meantime stays for the next pass. */
  reseal(connection: Connection): Promise<void>;
}

/** The heads of sealed values: a row is wanted if one of its values has such a head, or has none of them. */
export interface WantedHeads {
  heads: readonly Buffer[];
  is_among: boolean;
}

export interface ListSealedRows extends WantedHeads {
  after: readonly string[] | undefined;
}

/** The rows of one owner that have sealed values. */
export interface SealedRows {
  /** `channels`, for example. */
  what: string;
  /** For the operator: how secrets come back that no key opens. */
  remedy: string;
  /** A page of the wanted rows after a position. Empty at the end. */
  list(connection: Connection, secretBox: SecretBox, wanted: ListSealedRows): Promise<SealedRow[]>;
}

/** All that is sealed in the database. */
export interface SealedPlaces {
  rows: readonly SealedRows[];
  /** Counts the jobs that hold something of an old key. They are short-lived, so they are not sealed again. */
  countWaiting(connection: Connection, secretBox: SecretBox): Promise<number>;
}

/** Rows that a listing reads at once. */
export const sealedPageSize = 200;

// Before every id.
export const firstId = '00000000-0000-0000-0000-000000000000';

/** All wanted rows, page by page. */
export async function* walkSealedRows(
  connection: Connection,
  secretBox: SecretBox,
  rows: SealedRows,
  wanted: WantedHeads,
): AsyncGenerator<SealedRow> {
  let after: readonly string[] | undefined;
  for (;;) {
    const page = await rows.list(connection, secretBox, { ...wanted, after });
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.position;
  }
}

/** What an old key sealed. */
export function sealedWithOldKeys({ heads }: SecretBox): WantedHeads {
  return { heads: heads.old, is_among: true };
}

/** What no key of this process opens. */
export function sealedWithUnknownKeys({ heads }: SecretBox): WantedHeads {
  return { heads: [heads.present, ...heads.old], is_among: false };
}
