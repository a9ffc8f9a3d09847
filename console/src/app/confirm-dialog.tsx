import type { Session } from '@majlis/console-api';
import { useState } from 'react';
import { type Failure, request } from '../live/request.ts';
import { sessionStore } from '../live/session.ts';
import { useStore } from '../live/store.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { tell } from '../parts/toasts.ts';
import { CodeField, PasswordField } from '../sign-in/fields.tsx';
import { OtherWays, type Way } from '../sign-in/other-ways.tsx';
import { hasPasskeys, provePasskey } from '../sign-in/passkey.ts';
import { confirmWithProvider } from '../sign-in/provider.ts';
import { useMethods } from '../sign-in/use-methods.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';

/** Asks the signed-in person to prove who they are. */
export function ConfirmDialog({ onClose, onConfirm }: { onClose: () => void; onConfirm: () => void }) {
  const state = useStore(sessionStore);
  if (state.type !== 'signed_in') return null;
  return (
    <Dialog title={t('confirm.title')} onClose={onClose}>
      <Proofs person={state.session.person} onConfirm={onConfirm} onCancel={onClose} />
    </Dialog>
  );
}

type Typed = 'password' | 'code';

interface ProofsProps {
  person: Session['person'];
  onConfirm: () => void;
  onCancel: () => void;
}

/** The proofs that this person has: a typed one, a passkey, the identity provider. */
function Proofs({ person, onConfirm, onCancel }: ProofsProps) {
  const methods = useMethods();
  const typed: Typed[] = [
    ...(person.has_password ? ['password' as const] : []),
    ...(person.has_totp ? ['code' as const] : []),
  ];
  const [chosen, choose] = useState(typed[0]);
  const ways: Way[] = [];
  const prove = async (proof: object) => {
    await request('POST', '/confirm', proof);
    onConfirm();
  };
  if (person.has_passkey && hasPasskeys(methods?.passkey_origin)) {
    const take = async () => prove({ passkey: await provePasskey('/confirm/passkey/begin') });
    ways.push({ icon: 'passkey', label: t('confirm.passkey'), take });
  }
  if (person.has_oidc && methods?.oidc_name) {
    const label = t('sign_in.oidc', { name: isolated(methods.oidc_name) });
    const end = (failure: Failure | undefined) => (failure ? tell(failure.sentence, 'danger') : onConfirm());
    ways.push({ icon: 'provider', label, take: () => confirmWithProvider(end) });
  }
  if (methods && !chosen && ways.length === 0) return <Notice>{t('confirm.none')}</Notice>;
  const other = typed.find((one) => one !== chosen);
  return (
    <>
      {chosen ? (
        <Form
          key={chosen}
          place="dialog"
          submit={t('confirm.submit')}
          send={(form) => prove({ [chosen]: form.get(chosen) })}
          onCancel={onCancel}
        >
          {chosen === 'password' ? <PasswordField hint={t('confirm.hint')} autoFocus /> : <CodeField />}
          {other && (
            <div>
              <Button look="quiet" onPress={() => choose(other)}>
                {t(other === 'code' ? 'confirm.code' : 'confirm.password')}
              </Button>
            </div>
          )}
        </Form>
      ) : (
        <p>{t('confirm.again')}</p>
      )}
      <OtherWays ways={ways} isBelowForm={chosen !== undefined} />
    </>
  );
}
