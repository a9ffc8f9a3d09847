/** Why no recording is possible. */
export type VoiceFault = 'https' | 'refused' | 'missing' | 'unable';

export class VoiceFailure extends Error {
  override readonly name = 'VoiceFailure';
  readonly fault: VoiceFault;

  constructor(fault: VoiceFault) {
    super(fault);
    this.fault = fault;
  }
}

export interface Recording {
  /** Ends the recording, and answers it as ogg/opus: the one form that the platform shows as a voice message. */
  stop(): Promise<File>;
  discard(): void;
}

const ogg = 'audio/ogg;codecs=opus';
const types = [ogg, 'audio/webm;codecs=opus', 'audio/mp4;codecs=opus'];

/** Browsers hide the microphone from pages on plain http off this machine. */
export async function startRecording(): Promise<Recording> {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new VoiceFailure('https');
  const type =
    typeof MediaRecorder === 'undefined' ? undefined : types.find((one) => MediaRecorder.isTypeSupported(one));
  if (!type) throw new VoiceFailure('unable');
  const stream = await openMicrophone();
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 32_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  const end = async () => {
    if (recorder.state !== 'inactive') recorder.stop();
    for (const track of stream.getTracks()) track.stop();
    await ended;
  };
  recorder.start();
  return {
    async stop() {
      await end();
      const recorded = new Blob(parts, { type });
      const blob = type === ogg ? recorded : await toOgg(recorded);
      return new File([blob], 'voice.ogg', { type: 'audio/ogg' });
    },
    discard: () => void end(),
  };
}

async function openMicrophone(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'NotAllowedError' || name === 'SecurityError') throw new VoiceFailure('refused');
    throw new VoiceFailure(name === 'NotFoundError' ? 'missing' : 'unable');
  }
}

/** Puts the packets of the codec into an ogg container. They stay as they are. */
async function toOgg(recorded: Blob): Promise<Blob> {
  const { BlobSource, BufferTarget, Conversion, Input, MP4, OggOutputFormat, Output, WEBM } = await import(
    'mediabunny'
  );
  const input = new Input({ source: new BlobSource(recorded), formats: [WEBM, MP4] });
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const conversion = await Conversion.init({ input, output });
  if (!conversion.isValid) throw new VoiceFailure('unable');
  await conversion.execute();
  return new Blob([target.buffer!], { type: 'audio/ogg' });
}
