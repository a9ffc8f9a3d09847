import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { currentLanguage, t } from '../../words/words.ts';
import styles from './chart.module.css';
import type { DrawnChart } from './draw-chart.ts';
import { type ChartSeries, dashes } from './series.ts';

interface Props {
  /** What the chart shows. Its table tells the figures to screen readers. */
  label: string;
  periods: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** Counts have no fractions at the axis. */
  isWhole?: boolean;
}

/** Lines over periods. The library is loaded with the first chart. */
export function Chart({ label, periods, series, format, isWhole = false }: Props) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [point, setPoint] = useState<number>();
  const theme = useSyncExternalStore(followTheme, readTheme);
  const language = currentLanguage();
  const key = JSON.stringify([periods, series, theme, language]);
  const latest = useRef({ periods, series, format, isWhole });

  useEffect(() => {
    latest.current = { periods, series, format, isWhole };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is drawn
  useEffect(() => {
    if (!element) return;
    let isGone = false;
    let drawn: DrawnChart | undefined;
    const observer = new ResizeObserver(() => drawn?.resize(element.clientWidth));
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (isGone) return;
      const isRtl = language === 'ar';
      const look = readLook(element);
      drawn = drawChart({ element, ...latest.current, look, isRtl, onPoint: setPoint });
      observer.observe(element);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      drawn?.destroy();
    };
  }, [element, key]);

  return (
    <div className={styles.chart}>
      <ul className={styles.legend}>
        {series.map((one, index) => (
          <li key={one.id ?? one.label} className={styles.entry}>
            <svg className={styles.swatch} data-series={index} viewBox="0 0 28 8" aria-hidden="true">
              <line x1="1" x2="27" y1="4" y2="4" strokeDasharray={dashes[index]?.join(' ')} />
            </svg>
            <bdi>{one.label}</bdi>
            {point !== undefined && <b className={styles.value}>{textOf(one.values[point] ?? null, format)}</b>}
          </li>
        ))}
        <li className={styles.period}>{point === undefined ? '' : periods[point]}</li>
      </ul>
      <div
        role="img"
        aria-label={t('analytics.chart_label', { name: label })}
        className={styles.canvas}
        ref={setElement}
      />
    </div>
  );
}

function textOf(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}

function readLook(element: HTMLElement) {
  const { color, borderBlockEndColor, fontFamily } = getComputedStyle(element);
  const swatches = [...element.parentElement!.querySelectorAll('li svg')];
  return {
    ...{ font: `12px ${fontFamily}`, ink: color, line: borderBlockEndColor },
    colors: swatches.map((swatch) => getComputedStyle(swatch).color),
  };
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function followTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  dark.addEventListener('change', onChange);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', onChange);
  };
}

function readTheme(): string {
  return `${document.documentElement.dataset.theme ?? ''} ${dark.matches}`;
}
