import { setConsoleScene } from './console/console-scene.ts';
import { openFigures } from './console/figures.ts';
import { measureFirstView } from './console/measure-first-view.ts';
import { measureLiveEvent } from './console/measure-live-event.ts';
import { measureShift } from './console/measure-shift.ts';
import { measureSwitch } from './console/measure-switch.ts';
import { print } from './print.ts';

/** Eight hours with 20 events a second. */
const fullShift = 8 * 3_600 * 20;
const quickShift = 12_000;

/**
 * What a person feels of a workspace with 100,000 conversations, in Chromium on a computer that is 4 times slower than this one.
 * Answers how many bars were missed that do not depend on the speed of the machine.
 */
export async function measureConsole(isFull: boolean): Promise<number> {
  await using scene = await setConsoleScene();
  print('console', '100,000 conversations, 560,000 messages, Chromium 4 × slower; times vary with the machine');
  const figures = openFigures();
  await measureFirstView(scene, figures);
  await measureSwitch(scene, figures, isFull ? 60 : 20);
  await measureLiveEvent(scene, figures);
  await measureShift(scene, figures, isFull ? fullShift : quickShift);
  return figures.missed();
}
