/** A part of a line: plain text, a word of the console, or keys that are pressed together or one after the other. */
export type Span = { type: 'text' | 'word'; text: string } | { type: 'keys'; keys: string[] };

export type Block =
  | { type: 'heading'; text: string }
  | { type: 'text'; spans: Span[] }
  | { type: 'list'; items: Span[][] }
  | { type: 'keys'; rows: { keys: string[]; label: string }[] };

/** A page of the documentation that people read in the console. */
export interface Guide {
  title: string;
  blocks: Block[];
}
