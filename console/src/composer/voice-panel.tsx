import { Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { conversations } from '../live/conversations.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import { attachFiles } from './attachments.ts';
import styles from './panel.module.css';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';
import { closePanel } from './panels.ts';
import { type Recording, startRecording, VoiceFailure, type VoiceFault } from './record-voice.ts';
import { tellDropped } from './tell-dropped.ts';

/** Longer ones would exceed the platform's size of a voice message. */
const mostSeconds = 30 * 60;

/** Records a voice message. The stopped recording is a file of the next reply, to listen to, discard or send. */
export function VoicePanel({ membership, conversation, onClose }: PanelProps) {
  const { workspace_id } = membership;
  const [fault, setFault] = useState<VoiceFault>();
  const [startedAt, setStartedAt] = useState<number>();
  const [isEnding, setEnding] = useState(false);
  const recording = useRef<Recording>(undefined);
  const shown = useRef(false);
  const isDiscarded = useRef(false);

  // The microphone is opened while the panel is shown, and closed with it. What was recorded until then is kept.
  useEffect(() => {
    let isShown = true;
    shown.current = true;
    startRecording().then(
      (begun) => {
        if (!isShown) return begun.discard();
        recording.current = begun;
        setStartedAt(performance.now());
      },
      (error) => {
        if (isShown) setFault(error instanceof VoiceFailure ? error.fault : 'unable');
      },
    );
    return () => {
      isShown = false;
      const running = recording.current;
      recording.current = undefined;
      if (isDiscarded.current) running?.discard();
      else if (running) void keep({ workspace_id, conversation_id: conversation.id }, running);
      shown.current = false;
      // A return to the conversation must not open the microphone by itself. In development, React draws everything twice.
      setTimeout(() => !shown.current && closePanel(conversation.id, 'voice'));
    };
  }, [workspace_id, conversation.id]);

  async function stop(): Promise<void> {
    const running = recording.current;
    if (!running || isEnding) return;
    setEnding(true);
    // It is kept here.
    recording.current = undefined;
    try {
      attachRecorded({ workspace_id, conversation_id: conversation.id }, await running.stop());
      onClose?.();
    } catch (error) {
      setFault(error instanceof VoiceFailure ? error.fault : 'unable');
    }
  }

  function discard(): void {
    isDiscarded.current = true;
    onClose?.();
  }

  return (
    <PanelFrame title={t('composer.voice')} onClose={discard} closeLabel={t('composer.voice_discard')}>
      {fault ? (
        <Notice kind="danger">{t(`composer.voice_${fault}`)}</Notice>
      ) : (
        <div className={styles.recording}>
          <p role="status">
            <span className={styles.dot} aria-hidden />
            {startedAt === undefined ? t('composer.voice_waiting') : t('composer.voice_recording')}
            {startedAt !== undefined && <Elapsed since={startedAt} onOver={() => void stop()} />}
          </p>
          <Button onPress={discard}>
            <Trash2 size={16} aria-hidden />
            {t('composer.voice_discard')}
          </Button>
          <Button look="primary" isDisabled={startedAt === undefined} isPending={isEnding} onPress={() => void stop()}>
            <Square size={16} aria-hidden />
            {t('composer.voice_stop')}
          </Button>
        </div>
      )}
    </PanelFrame>
  );
}

interface Target {
  workspace_id: string;
  conversation_id: string;
}

/** The person has left the conversation or the panel. */
async function keep(target: Target, running: Recording): Promise<void> {
  try {
    attachRecorded(target, await running.stop());
  } catch (error) {
    tell(t(`composer.voice_${error instanceof VoiceFailure ? error.fault : 'unable'}`), 'danger');
  }
}

/** Nothing goes to a conversation that the person may not see any more. */
function attachRecorded(target: Target, file: File): void {
  if (conversations.get(target.conversation_id)) attachFiles(target, [file], { isRecorded: true });
  else tellDropped();
}

/** `0:07`, which screen readers are not told every second. */
function Elapsed({ since, onOver }: { since: number; onOver: () => void }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1_000)), 250);
    return () => clearInterval(timer);
  }, [since]);
  useEffect(() => {
    if (seconds >= mostSeconds) onOver();
  }, [seconds, onOver]);
  return (
    <span aria-hidden dir="ltr">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}
