export function print(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(60)} ${figure}\n`);
}

export function ratio(rate: number, floor: number): string {
  return (rate / floor).toFixed(2);
}

export function printTimes(what: string, { p50_ms, p99_ms }: { p50_ms: number; p99_ms: number }): void {
  print(what, `${p50_ms.toFixed(1)} ms, ${p99_ms.toFixed(1)} ms`);
}

/** Processor time in milliseconds, of the service and of PostgreSQL, for `count` operations. */
export function printCosts([ofService, ofPostgres]: [number, number], count: number): void {
  const each = (ms: number) => `${(ms / count).toFixed(3)} ms`;
  print('  processor time of the service, of PostgreSQL', `${each(ofService)}, ${each(ofPostgres)} each`);
}

export function printMemory(service: { peakRssMb(): number }): void {
  print('  memory of the service, peak', `${service.peakRssMb().toFixed(0)} MB`);
}
