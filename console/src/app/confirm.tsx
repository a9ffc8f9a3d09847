import { Suspense } from 'react';
import { createStore } from '../live/create-store.ts';
import { Failure } from '../live/request.ts';
import { useStore } from '../live/store.ts';
import { lazyClosable } from '../parts/lazy-piece.ts';

const Proofs = lazyClosable(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog, 'person');

const waiting = createStore<((isConfirmed: boolean) => void) | undefined>(undefined);

/** Performs an action. Where the server wants a recent proof of identity, asks for it and performs the action again. */
export async function confirmed<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'confirmation_required') throw error;
    const isConfirmed = await new Promise<boolean>((resolve) => waiting.set(resolve));
    waiting.set(undefined);
    if (!isConfirmed) throw error;
    return act();
  }
}

/** The dialog is loaded when an action needs it. */
export function ConfirmDialog() {
  const resolve = useStore(waiting);
  return <Suspense>{resolve && <Proofs onClose={() => resolve(false)} onConfirm={() => resolve(true)} />}</Suspense>;
}
