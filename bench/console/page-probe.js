// Runs in the page, before its own scripts. It looks at what is drawn alone, and touches nothing of the console.
(() => {
  /** Whether the element is drawn in the part of its scroller that is in sight. */
  function isInSight(element, scroller) {
    if (!element || !scroller || getComputedStyle(element).visibility !== 'visible') return false;
    const [box, frame] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
    return box.height > 0 && box.bottom > frame.top && box.top < frame.bottom;
  }

  function isListDrawn() {
    const list = document.querySelector('main [role=group] ul');
    return isInSight(list?.querySelector('a[data-id]'), list?.parentElement?.parentElement);
  }

  /** The header names the contact, and the newest message is in sight. */
  function isThreadDrawn(name) {
    if (name !== undefined && document.querySelector('main header h2 bdi')?.textContent !== name) return false;
    const feed = document.querySelector('main [role=feed]');
    return isInSight([...(feed?.querySelectorAll('[data-message]') ?? [])].at(-1), feed);
  }

  /** The time at which the first frame that met the condition was painted. */
  function paintedAt(isMet) {
    return new Promise((resolve) => {
      const look = () => {
        if (!isMet()) return requestAnimationFrame(look);
        const channel = new MessageChannel();
        // The message arrives after the frame that is drawn now.
        channel.port1.onmessage = () => resolve(performance.now());
        channel.port2.postMessage(0);
      };
      requestAnimationFrame(look);
    });
  }

  let pressedAt = 0;
  for (const kind of ['click', 'keydown']) {
    addEventListener(
      kind,
      ({ timeStamp }) => {
        pressedAt = timeStamp;
      },
      { capture: true },
    );
  }

  let told = 0;
  let position = 0;
  globalThis.probe = {
    /** Milliseconds from the start of the navigation until the list, and an open thread, are painted. */
    ready: (withThread) => paintedAt(() => isListDrawn() && (!withThread || isThreadDrawn())),
    /** Milliseconds from the last press until the thread of this contact is painted. */
    switched: async (name) => (await paintedAt(() => isThreadDrawn(name))) - pressedAt,
    rows: () =>
      [...document.querySelectorAll('main [role=group] ul a[data-id]')]
        .filter((row) => isInSight(row, document.querySelector('main [role=group]').parentElement))
        .map((row) => ({ id: row.dataset.id, name: row.querySelector('bdi').textContent })),
    /** Counts what the tab that follows the stream tells the other tabs of the browser. */
    follow(channel) {
      new BroadcastChannel(channel).onmessage = ({ data }) => {
        if (data.type !== 'told') return;
        position = Number(data.told.id.split('-')[1]);
        if (data.told.event) told++;
      };
    },
    followed: () => ({ told, position }),
  };
})();
