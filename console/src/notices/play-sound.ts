let context: AudioContext | undefined;
let last = Number.NEGATIVE_INFINITY;
const betweenMs = 1_500;
const tones = [
  { hertz: 659, at: 0 },
  { hertz: 880, at: 0.12 },
];

/** Two short tones, made here: a file would be one more thing to load. A browser is silent before the first press of a key. */
export function playSound(): void {
  if (!('AudioContext' in window) || performance.now() - last < betweenMs) return;
  last = performance.now();
  context ??= new AudioContext();
  void context.resume();
  const start = context.currentTime;
  for (const { hertz, at } of tones) {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.0001, start + at);
    loudness.gain.exponentialRampToValueAtTime(0.12, start + at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + at + 0.25);
    tone.connect(loudness).connect(context.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.3);
  }
}
