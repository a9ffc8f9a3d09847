export { areas } from './areas.ts';
export { CannotCheck, checkConformance } from './check-conformance.ts';
export type { ConformOptions } from './options.ts';
export { printReport, type Report } from './report.ts';
