import { buildOpenApi } from '@majlis/contract';

/** `majlis openapi` */
export function openapi(): void {
  process.stdout.write(`${JSON.stringify(buildOpenApi(), undefined, 2)}\n`);
}
