/** Runs the work once the frame that shows what was drawn last is painted. The answered function calls it off. */
export function afterPaint(work: () => void): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  const go = () => port2.postMessage(0);
  // The message arrives behind the frame. A hidden page has no frames.
  const frame = document.visibilityState === 'visible' ? requestAnimationFrame(go) : undefined;
  if (frame === undefined) go();
  return () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    port1.close();
  };
}
