import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '../../words/words.ts';
import { inMinutes } from './times.ts';
import styles from './voice-player.module.css';

const speeds = [1, 1.5, 2];

/** Plays a voice message. Time runs from left to right in every language, as on all players. */
export function VoicePlayer({ address }: { address: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [duration, setDuration] = useState<number>();
  const [speed, setSpeed] = useState(1);

  function toggle() {
    const { current } = audio;
    if (!current) return;
    if (current.paused) void current.play().catch(() => setPlaying(false));
    else current.pause();
  }

  function changeSpeed() {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length]!;
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  }

  return (
    <fieldset className={styles.player} dir="ltr" aria-label={t('thread.voice')}>
      {/* biome-ignore lint/a11y/useMediaCaption: customers send no captions. */}
      <audio
        ref={audio}
        src={address}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setSeconds(0)}
        onTimeUpdate={({ currentTarget }) => setSeconds(currentTarget.currentTime)}
        onDurationChange={({ currentTarget }) =>
          setDuration(Number.isFinite(currentTarget.duration) ? currentTarget.duration : undefined)
        }
      />
      <button
        type="button"
        className={styles.play}
        aria-label={t(isPlaying ? 'thread.pause' : 'thread.play')}
        onClick={toggle}
      >
        {isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
      </button>
      <input
        type="range"
        className={styles.position}
        aria-label={t('thread.position')}
        aria-valuetext={inMinutes(seconds)}
        min={0}
        max={duration ?? 1}
        step={0.1}
        value={Math.min(seconds, duration ?? 1)}
        onChange={({ currentTarget }) => {
          setSeconds(Number(currentTarget.value));
          if (audio.current) audio.current.currentTime = Number(currentTarget.value);
        }}
      />
      <span className={styles.time}>{inMinutes(isPlaying || seconds > 0 ? seconds : (duration ?? 0))}</span>
      <button type="button" className={styles.speed} aria-label={t('thread.speed', { speed })} onClick={changeSpeed}>
        {speed}×
      </button>
    </fieldset>
  );
}
