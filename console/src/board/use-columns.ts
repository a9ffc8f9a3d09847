import type { Conversation } from '@majlis/contract';
import { useSyncExternalStore } from 'react';
import { conversations } from '../live/conversations.ts';
import type { FollowedState } from '../live/followed.ts';
import { type Board, type Column, type ColumnPage, noStage, type Whose } from './columns.ts';

export interface ShownColumn {
  stage_id: string;
  cards: readonly Conversation[];
  isLoaded: boolean;
  hasMore: boolean;
  error: unknown;
}

/**
 * The cards of each column. A conversation stands in the column of its present stage, so a card that somebody moves is in its new
 * place before the service has answered, and back in the old one after a refusal.
 */
export function useColumns(board: Board, stage_ids: readonly string[], whose: Whose, user_id: string): ShownColumn[] {
  const view = viewOf(board, stage_ids);
  const { states, cards } = useSyncExternalStore(view.subscribe, view.get);
  const shown = cards.filter((one) => isOnBoard(one, whose, user_id));
  const byStage = Map.groupBy(shown, ({ stage_id }) => stage_id ?? noStage);
  return states.map(({ data, error }, index) => {
    const stage_id = stage_ids[index]!;
    return {
      stage_id,
      cards: (byStage.get(stage_id) ?? []).toSorted(latestFirst),
      isLoaded: data !== undefined,
      hasMore: data?.hasMore ?? false,
      error,
    };
  });
}

function isOnBoard({ status, assignee_id }: Conversation, whose: Whose, user_id: string): boolean {
  return status === 'open' && (whose === 'all' || assignee_id === user_id);
}

function latestFirst(a: Conversation, b: Conversation): number {
  return (b.last_message_at ?? '').localeCompare(a.last_message_at ?? '') || b.id.localeCompare(a.id);
}

interface Snapshot {
  states: readonly FollowedState<ColumnPage>[];
  /** Of all columns. */
  cards: readonly Conversation[];
}

interface BoardView {
  subscribe(listener: () => void): () => void;
  /** The same object while no column and no card has changed. */
  get(): Snapshot;
}

const views = new WeakMap<Board, Map<string, BoardView>>();

/** One object for the same columns: a new one would end the subscription and read all of them again. */
function viewOf(board: Board, stage_ids: readonly string[]): BoardView {
  const known = views.get(board) ?? new Map<string, BoardView>();
  views.set(board, known);
  const name = stage_ids.join();
  const view = known.get(name) ?? createView(stage_ids.map((stage_id) => board.columnOf(stage_id)));
  known.set(name, view);
  return view;
}

function createView(columns: readonly Column[]): BoardView {
  let snapshot: Snapshot = { states: [], cards: [] };
  const isAwaited = (card: Conversation | undefined) =>
    card &&
    (conversations.isExpected(card.id) ||
      columns.find(({ stage_id }) => stage_id === (card.stage_id ?? noStage))?.isCurrent() === false);
  return {
    subscribe(listener) {
      const ends = [...columns.map((column) => column.subscribe(listener)), conversations.subscribe(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    get() {
      const states = columns.map((column) => column.get());
      const read = states.flatMap(({ data }) => data?.ids ?? []);
      // The old column of a moved card is read before its new one, or after it.
      const moving = snapshot.cards.filter((one) => isAwaited(conversations.get(one.id))).map(({ id }) => id);
      const cards = [...new Set([...read, ...moving])].flatMap((id) => conversations.get(id) ?? []);
      if (!isSame(states, snapshot.states) || !isSame(cards, snapshot.cards)) snapshot = { states, cards };
      return snapshot;
    },
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, n) => one === b[n]);
}
