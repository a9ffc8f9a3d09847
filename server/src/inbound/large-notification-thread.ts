import type { WebhookNames } from '../channels/queries.ts';
import { countValues } from '../http/body/parse-json.ts';
import { parseNotification } from '../platform/webhook/parse-notification.ts';
import { divideByNumber, type OfNumber } from './divide-by-number.ts';
import { forgetInText } from './forget-in-text.ts';
import { readOrigins } from './read-origins.ts';
import { splitNotification } from './split-notification.ts';

export type LargeWork =
  /** The bytes of a body that has arrived. */
  | { type: 'read'; raw: Uint8Array; max_values: number }
  /** The text of a stored notification. */
  | { type: 'split'; text: string }
  /** The same, and the names of a person who is erased. */
  | { type: 'forget'; text: string; names: readonly string[] };

export interface ReadNotification {
  names: WebhookNames;
  of_numbers: OfNumber[];
}

export type LargeResult =
  | ReadNotification
  | 'too many values'
  | 'not JSON'
  | { steps: string[] }
  | { left: string | null | undefined };

// One insert of this many parts takes some 20 ms.
const partsOfStep = 200;
const charactersOfStep = 262_144;

/** The work on a large notification that takes long. It runs in a thread. */
export default function workOnLarge(work: LargeWork): LargeResult {
  switch (work.type) {
    case 'read':
      return read(work.raw, work.max_values);
    case 'split':
      return { steps: splitInSteps(work.text) };
    case 'forget':
      return { left: forgetInText(work.text, work.names) };
  }
}

function read(raw: Uint8Array, max_values: number): LargeResult {
  if (countValues(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)) > max_values) return 'too many values';
  const text = new TextDecoder().decode(raw);
  let body: unknown;
  try {
    body = parseNotification(text);
  } catch {
    return 'not JSON';
  }
  const { waba_ids, phone_number_ids } = readOrigins(body);
  return { names: { waba_ids, phone_number_ids }, of_numbers: divideByNumber(body, text) };
}

/** The parts in steps, each the JSON of a list, so that what one step inserts is bounded. */
function splitInSteps(text: string): string[] {
  const steps: string[][] = [];
  let characters = 0;
  for (const part of splitNotification(parseNotification(text), text)) {
    const json = JSON.stringify(part);
    const last = steps.at(-1);
    if (last && last.length < partsOfStep && characters + json.length <= charactersOfStep) last.push(json);
    else {
      steps.push([json]);
      characters = 0;
    }
    characters += json.length;
  }
  return steps.map((step) => `[${step.join()}]`);
}
