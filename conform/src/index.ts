export { areas } from './areas.ts';
export { checkConformance, NoDeployment } from './check-conformance.ts';
export type { ConformOptions } from './options.ts';
export { printReport, type Report } from './report.ts';
