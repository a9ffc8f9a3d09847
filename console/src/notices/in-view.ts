const start = 'majlis-in-view-';

/** Whether a tab of the browser shows the conversation to the person. It said so before the message came, however slow it is now. */
export async function isInView(conversation_id: string): Promise<boolean> {
  if (!('locks' in navigator)) return isStored(conversation_id);
  // Those who ask share it. A list of all locks would grow with every message.
  const asked = { mode: 'shared', ifAvailable: true } as const;
  return navigator.locks.request(start + conversation_id, asked, (lock) => lock === null);
}

/** A tab without locks that crashed leaves its entry behind, which is good for this long. */
const goodForMs = 20_000;

interface StoredView {
  conversation_id: string;
  until: number;
}

function isStored(conversation_id: string): boolean {
  try {
    return readViews().some((view) => view.conversation_id === conversation_id);
  } catch {
    return false;
  }
}

function readViews(): StoredView[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(start));
  return names.flatMap((name) => {
    const view = JSON.parse(localStorage.getItem(name)!) as StoredView;
    if (view.until >= Date.now()) return [view];
    localStorage.removeItem(name);
    return [];
  });
}

/** Says in every tab that this one shows the conversation, until the answered function is called. */
export function beInView(conversation_id: string): () => void {
  return 'locks' in navigator ? hold(start + conversation_id) : store(conversation_id);
}

/** Of several tabs that show it one holds the lock, and the next waits for it. The browser releases what a closed tab held. */
function hold(name: string): () => void {
  let release = () => {};
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks.request(name, () => isOver).catch(() => {});
  return release;
}

/** On plain http there are no locks. Each tab has an entry of its own, so no tab overwrites what another says. */
function store(conversation_id: string): () => void {
  const name = start + Math.random().toString(36).slice(2);
  const stay = () => {
    try {
      const view: StoredView = { conversation_id, until: Date.now() + goodForMs };
      localStorage.setItem(name, JSON.stringify(view));
    } catch {
      // Without storage, another visible tab may tell.
    }
  };
  stay();
  const timer = setInterval(stay, goodForMs / 4);
  return () => {
    clearInterval(timer);
    // A sign-out has emptied the storage, and nothing may stand there afterwards.
    try {
      localStorage.removeItem(name);
    } catch {
      // There is none.
    }
  };
}
