export interface ChartSeries {
  /** Where labels may be equal. */
  id?: string | undefined;
  label: string;
  /** One for each period; null where nothing was measured. */
  values: readonly (number | null)[];
}

/** Lines differ by their dashes besides their colors. */
export const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 5]];

export const mostSeries = dashes.length;
