import { day, type Scene, type Schedule } from './rule.ts';

/** Each try is not there a millisecond before its time, and is there once its time and its spread have passed. */
export async function proveSchedule(scene: Scene, { delays_ms, spread_ms, ends, open }: Schedule): Promise<string[]> {
  const faults: string[] = [];
  const { made, prepare } = await open(scene);
  const before = await made();
  const tell = async (expected: number, when: string) => {
    const count = (await made()) - before;
    if (count !== expected) faults.push(`${when} there were ${count} more tries, not ${expected}`);
  };
  for (const [place, delay_ms] of delays_ms.entries()) {
    const due = scene.nowMs() + delay_ms;
    await scene.moveTo(due - 1);
    await prepare?.();
    await scene.passed();
    await tell(place, `1 ms before ${delay_ms} ms had passed`);
    await scene.moveTo(due + spread_ms(delay_ms));
    await scene.settled();
    await tell(place + 1, `when ${delay_ms} ms had passed`);
  }
  if (ends) {
    await prepare?.();
    await scene.moveTo(scene.nowMs() + 2 * day);
    await scene.settled();
    await tell(delays_ms.length, 'two days after the last one');
  }
  return faults;
}
