import { Fingerprint, IdCard } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { sentenceOf } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import styles from './other-ways.module.css';

/** A way that is one button: a passkey, or the identity provider. */
export interface Way {
  icon: 'passkey' | 'provider';
  label: string;
  take: () => Promise<void>;
}

interface Props {
  ways: readonly Way[];
  /** Whether a form stands above. */
  isBelowForm?: boolean;
}

export function OtherWays({ ways, isBelowForm = true }: Props) {
  const [fault, setFault] = useState<string>();
  const [taken, setTaken] = useState<string>();
  if (ways.length === 0) return null;

  async function take(way: Way) {
    setFault(undefined);
    setTaken(way.label);
    try {
      await way.take();
    } catch (error) {
      setFault(sentenceOf(error));
    } finally {
      setTaken(undefined);
    }
  }

  return (
    <div className={styles.ways}>
      {isBelowForm && <p className={styles.or}>{t('sign_in.or')}</p>}
      {fault && <Notice kind="danger">{fault}</Notice>}
      {ways.map((way) => (
        <Button key={way.label} wide isPending={taken === way.label} onPress={() => take(way)}>
          {icons[way.icon]}
          {way.label}
        </Button>
      ))}
    </div>
  );
}

const icons: Record<Way['icon'], ReactNode> = {
  passkey: <Fingerprint size={18} aria-hidden />,
  provider: <IdCard size={18} aria-hidden />,
};
