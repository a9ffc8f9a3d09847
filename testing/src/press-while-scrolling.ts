import type { Locator, Page } from 'playwright-core';

/** Presses the target while what it stands in scrolls to and fro, until the page has taken a press. */
export async function pressWhileScrolling(page: Page, target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.evaluate(`new Promise((drawn) => {
    let scrolled = document.elementFromPoint(${x + width / 2}, ${y + height / 2});
    while (getComputedStyle(scrolled).overflowY !== 'auto') scrolled = scrolled.parentElement;
    const step = scrolled.scrollTop > 0 ? -4 : 4;
    let frames = 0;
    let isPressed = false;
    addEventListener('click', () => (isPressed = true), { capture: true, once: true });
    requestAnimationFrame(function move() {
      if (isPressed) return;
      scrolled.scrollTop += frames % 2 === 0 ? step : -step;
      if (++frames === 10) drawn();
      requestAnimationFrame(move);
    });
  })`);
  await page.mouse.up();
}
