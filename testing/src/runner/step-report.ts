import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { UnitResult } from './unit.ts';

/** What a run leaves for the table of CI. */
export interface StepReport {
  name: string;
  seconds: number;
  results: UnitResult[];
  /** The first results of the units that passed when they ran once more. */
  flaky: UnitResult[];
}

/** Writes the report to the folder TEST_REPORTS, where that is set. */
export async function writeReport(report: StepReport): Promise<void> {
  const folder = process.env.TEST_REPORTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${report.name}.json`), JSON.stringify(report));
}
