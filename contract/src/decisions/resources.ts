import type { Decision } from './decision.ts';

const passedThrough = 'The value belongs to whoever gives it: the channel platform or the operator.';

export const resources: readonly Decision[] = [
  {
    open: 'Allowed values of message `direction`',
    chosen: '`inbound` and `outbound`; the schema says string.',
    because: 'The note of the field names these two.',
  },
  {
    open: 'Allowed values of message `actor_kind`',
    chosen:
      'The kind of thing that `actor_id` names: `contact`, `user`, `ai_agent`, `workflow` or `broadcast`. A send by ' +
      'API key has the creator of the key (`user`) where that is known. The schema says string.',
    because: 'These are the names that the prefixes of identifiers stand for.',
  },
  {
    open: 'Allowed values of quality ratings',
    chosen: 'Stored and returned as the channel platform gives them; absent when it gave none.',
    because: passedThrough,
  },
  {
    open: 'Allowed values of channel `status`',
    chosen: 'Stored and returned as the channel platform gives it; absent when it gave none.',
    because: passedThrough,
  },
  {
    open: 'Allowed values of user `role`',
    chosen:
      'Any string. Two have a meaning: an `admin` is e-mailed when a webhook endpoint is disabled; an `agent` answers.',
    because: 'The contract speaks of workspace admins and of agents, and of no other role.',
  },
  {
    open: 'Allowed values of user `status`',
    chosen: 'Stored and returned as the operator gave it; absent when none was given.',
    because: passedThrough,
  },
  {
    open: 'Allowed values of AI agent `status`',
    chosen: 'Stored and returned as the operator gave it; absent when none was given.',
    because: passedThrough,
  },
  {
    open: 'Allowed values of contact `dialect`',
    chosen: 'Stored and returned as it was given; absent when none was given.',
    because: passedThrough,
  },
  {
    open: 'Allowed values of summary `sentiment` and `intent`',
    chosen: 'Plain strings, as the model words them.',
    because: 'A list would promise what no model keeps.',
  },
  {
    open: 'Item structure of `interactive.buttons`',
    chosen: 'Any objects; they are handed to the channel platform as they are.',
    because: 'It can stay open: the platform refuses what it cannot show, and its reason reaches `error`.',
  },
  {
    open: 'Keys of `consents` other than `chatapp_marketing`',
    chosen:
      '`chatapp_marketing` is a boolean and has a meaning. Other keys are kept as they are given and mean nothing.',
    because: 'It can stay open.',
  },
  {
    open: 'Length and format limits of identifiers, names, tags and bodies',
    chosen: 'None is enforced. What the channel platform refuses becomes `failed` with its reason.',
    because: 'It can stay open. Only the size of a JSON body as a whole is limited, by a setting.',
  },
  {
    open: 'Maximum lengths of text bodies, names, tags and params',
    chosen: 'None is enforced. What the channel platform refuses becomes `failed` with its reason.',
    because: 'It can stay open, as above.',
  },
  {
    open: 'The prefix of identifiers of stages, closing reasons and delivery attempts',
    chosen: 'An opaque string.',
    because: 'The contract lists the prefixes and has none for them.',
  },
  {
    open: 'How a member without a value is shown',
    chosen: 'It is left out of the answer.',
    because: 'The contract gives types without null, and says "absent" where it speaks of a missing value.',
  },
];
