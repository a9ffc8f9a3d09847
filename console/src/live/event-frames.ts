/** One event of a stream, or a sign of life without data. */
export interface EventFrame {
  id?: string;
  data?: string;
  /** The wait before a new connection that the server asks for. */
  retry_ms?: number;
}

/** Takes server-sent events out of the text of a stream, however the text is cut. */
export function createFrameReader(): (text: string) => EventFrame[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop()!;
    return blocks.map(readFrame);
  };
}

function readFrame(block: string): EventFrame {
  const frame: EventFrame = {};
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) frame.id = line.slice(4);
    if (line.startsWith('data: ')) frame.data = line.slice(6);
    if (line.startsWith('retry: ')) frame.retry_ms = Number(line.slice(7));
  }
  return frame;
}
