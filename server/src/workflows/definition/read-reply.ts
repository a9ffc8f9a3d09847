import { readMember } from '../../platform/read-json.ts';
import { readChoiceId } from '../../platform/webhook/read-choice-id.ts';
import { readFormAnswers } from '../../platform/webhook/read-form-answers.ts';
import { readReferral } from '../../platform/webhook/read-referral.ts';
import type { VariableScope } from '../run/expand.ts';

/** The column `raw` of a message `m`, as `readReply` reads it. */
export const replyColumn = `json_build_object('interactive', m.content #> '{raw,interactive}',
    'button', m.content #> '{raw,button}', 'referral', m.content #> '{raw,referral}', 'context', m.content #> '{raw,context}')`;

/** What stands beside the words of a customer's message, by the names that the details of events have. */
export function readReply(raw: unknown): VariableScope {
  const button_id = readChoiceId(raw);
  const answers = readFormAnswers(readMember(raw, 'interactive'));
  const referral = readReferral(raw);
  return {
    ...(button_id !== undefined && { button_id }),
    ...(answers && { answers: Object.fromEntries(answers.map(({ name, value }) => [name, value])) }),
    ...(referral && { referral }),
  };
}
