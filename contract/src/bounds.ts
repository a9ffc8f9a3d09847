import type { TSchema } from 'typebox';

/**
 * The kinds of bound on texts: `short` for names, tags, keys and ids, `long` for texts that people write, `document` for whole
 * documents. The operator sets the figures, so OpenAPI shows neither them nor the kinds.
 */
export const textBounds = ['short', 'long', 'document'] as const;
export type TextBound = (typeof textBounds)[number];

/** The bound of a text. A schema without a mark of its own has the smallest, so that no new member is without one. */
export function textBoundOf(schema: TSchema): TextBound {
  const bound = (schema as { bound?: unknown }).bound;
  return textBounds.find((known) => known === bound) ?? 'short';
}

/** Marks the entries of a list as checked one by one, by whoever reads them: one over a bound does not refuse the rest. */
export const checkedAlone = { bound: 'none' } as const;

export function isCheckedAlone(schema: TSchema): boolean {
  return (schema as { bound?: unknown }).bound === checkedAlone.bound;
}
