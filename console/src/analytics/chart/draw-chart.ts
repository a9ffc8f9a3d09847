import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { type ChartSeries, dashes } from './series.ts';

/** What the style sheets decide, read from the page. */
export interface ChartLook {
  font: string;
  ink: string;
  line: string;
  /** By series. */
  colors: readonly string[];
}

export interface ChartOrder {
  element: HTMLElement;
  periods: readonly string[];
  series: readonly ChartSeries[];
  look: ChartLook;
  isRtl: boolean;
  /** The text of a value at the axis. */
  format: (value: number) => string;
  /** Counts have no fractions at the axis. */
  isWhole: boolean;
  /** The period under the pointer, or undefined. */
  onPoint: (index: number | undefined) => void;
}

const height = 260;
const sides = { right: 1, bottom: 2, left: 3 } as const;
// Whole periods alone have a label.
const steps = [1, 2, 3, 4, 5, 7, 10, 14, 15, 20, 30, 50, 60, 100, 200, 500, 1_000, 2_000];

const wholeSteps = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat();

export interface DrawnChart {
  resize(width: number): void;
  destroy(): void;
}

/** Draws lines over periods. Time runs as the text does. */
export function drawChart({ element, periods, series, look, isRtl, format, isWhole, onPoint }: ChartOrder): DrawnChart {
  const axis = { font: look.font, stroke: look.ink, ticks: { show: false }, labelFont: look.font };
  const chart = new UPlot(
    {
      ...{ width: Math.max(element.clientWidth, 120), height },
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false } },
      padding: [16, 16, 0, 8],
      scales: {
        x: { time: false, dir: isRtl ? -1 : 1, range: [-0.5, periods.length - 0.5] },
        y: { range: (_, __, most) => UPlot.rangeNum(0, most || 1, 0.1, true) },
      },
      axes: [
        {
          ...axis,
          ...{ side: sides.bottom, incrs: [...steps], space: 72, grid: { show: false } },
          values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? (periods[at] ?? '') : '')),
        },
        {
          ...axis,
          ...{ side: isRtl ? sides.right : sides.left, size: 64, grid: { stroke: look.line, width: 1 } },
          ...(isWhole && { incrs: wholeSteps }),
          values: (_, splits) => splits.map(format),
        },
      ],
      series: [
        {},
        ...series.map(({ label }, index) => ({
          label,
          ...{ stroke: look.colors[index]!, width: 2, dash: [...dashes[index % dashes.length]!] },
          points: { show: periods.length <= 62, size: 6, fill: look.colors[index]! },
        })),
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
    },
    [periods.map((_, index) => index), ...series.map(({ values }) => [...values])],
    element,
  );
  return { resize: (width) => chart.setSize({ width: Math.max(width, 120), height }), destroy: () => chart.destroy() };
}
