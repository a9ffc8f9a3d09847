import { GraphError } from '../graph/graph-error.ts';

const refusals = {
  limit: [2388019, 'Template Limit Exceeded', 'This account has reached its number of message templates.'],
  deleting: [
    2388023,
    'Message Template Language Is Being Deleted',
    "New content can't be added while the existing content is being deleted. Try again in 4 weeks or create a new message template.",
  ],
  exists: [2388024, 'Content in This Language Already Exists', 'Create a new template and try again.'],
  length: [2388040, 'Character Limit Exceeded', 'A field exceeds its character limit.'],
  example: [2388043, 'Message template is missing example', 'The component is missing expected field(s) (example).'],
  header: [2388047, 'Message Header Format Is Incorrect', ''],
  body: [2388072, 'Message Body Format Is Incorrect', ''],
  footer: [2388073, 'Message Footer Format Is Incorrect', ''],
  ratio: [2388293, 'This template contains too many variable parameters', ''],
  edges: [2388299, "Variables can't be at the start or end of the template", ''],
} as const satisfies Record<string, readonly [number, string, string]>;

/** A refusal of template management: code 100 with a subcode and a text for the user (section 5.2). */
export function refuseTemplate(reason: keyof typeof refusals, detail: string): GraphError {
  const [subcode, user_title, text] = refusals[reason];
  const user_msg = text === '' ? detail : `${detail}: ${text}`;
  return new GraphError(100, { message: 'Invalid parameter', subcode, user_title, user_msg });
}
