import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { createStore, useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';

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

export function ConfirmDialog() {
  const resolve = useStore(waiting);
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  if (!resolve) return null;

  async function confirm(form: FormData) {
    setPending(true);
    try {
      await request('POST', '/confirm', { password: form.get('password') });
      setError(undefined);
      resolve!(true);
    } catch (failure) {
      setError(sentenceOf(failure));
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog title={t('confirm.title')} onClose={() => resolve(false)}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm(new FormData(event.currentTarget));
        }}
      >
        <Field
          label={t('sign_in.password')}
          hint={t('confirm.hint')}
          error={error}
          type="password"
          name="password"
          autoComplete="current-password"
          isRequired
          autoFocus
        />
        <DialogActions>
          <Button onPress={() => resolve(false)}>{t('app.cancel')}</Button>
          <Button type="submit" look="primary" isPending={isPending}>
            {t('confirm.submit')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
