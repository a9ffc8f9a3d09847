import { type FormEvent, useState } from 'react';
import { Failure, sentenceOf } from '../live/request.ts';

/** The state of a form that sends one request: pending, and the fault of the last attempt. */
export function useForm(send: (form: FormData) => Promise<void>) {
  const [failure, setFailure] = useState<unknown>();
  const [isPending, setPending] = useState(false);

  async function submit(form: FormData) {
    setPending(true);
    setFailure(undefined);
    try {
      await send(form);
    } catch (error) {
      setFailure(error);
    } finally {
      setPending(false);
    }
  }

  return {
    isPending,
    /** A sentence for a fault that belongs to no single field. */
    fault: failure !== undefined && !hasMembers(failure) ? sentenceOf(failure) : undefined,
    /** The sentence of one field. */
    faultOf: (name: string) => (failure instanceof Failure ? failure.members.get(name) : undefined),
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      void submit(new FormData(event.currentTarget));
    },
  };
}

function hasMembers(failure: unknown): boolean {
  return failure instanceof Failure && failure.members.size > 0;
}
