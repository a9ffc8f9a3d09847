import type { Decision } from './decision.ts';

const ownValue = 'The value belongs to the channel platform, the operator or the client.';

export const fieldDecisions: readonly Decision[] = [
  {
    open: 'Allowed values of message `direction`',
    chosen: '`inbound` and `outbound`; the schema says string.',
    because: 'The description of the field names these two.',
  },
  {
    open: 'Allowed values of message `actor_kind`',
    chosen:
      'The kind of sender that `actor_id` names: `contact`, `user`, `ai_agent`, `workflow` or `broadcast`. A send ' +
      'by API key has the creator of the key (`user`), if known. The schema says string.',
    because: 'The prefixes of identifiers stand for these names.',
  },
  {
    open: 'Allowed values of quality ratings',
    chosen: 'Stored and returned as the channel platform states them; absent without a value.',
    because: ownValue,
  },
  {
    open: 'Allowed values of channel `status`',
    chosen: 'Stored and returned as the channel platform states it; absent without a value.',
    because: ownValue,
  },
  {
    open: 'Allowed values of user `role`',
    chosen:
      'Any string. Two have a meaning: an `admin` gets an e-mail when a webhook endpoint is disabled; an `agent` ' +
      'answers.',
    because: 'The contract names workspace admins and agents, and no other role.',
  },
  {
    open: 'Allowed values of user `status`',
    chosen: 'Stored and returned as the operator set it; absent without a value.',
    because: ownValue,
  },
  {
    open: 'Allowed values of AI agent `status`',
    chosen: 'Stored and returned as the operator set it; absent without a value.',
    because: ownValue,
  },
  {
    open: 'Allowed values of contact `dialect`',
    chosen: 'Stored and returned as given; absent without a value.',
    because: ownValue,
  },
  {
    open: 'Allowed values of summary `sentiment` and `intent`',
    chosen: 'Plain strings in the words of the model.',
    because: 'No model keeps to a list.',
  },
  {
    open: 'Item structure of `interactive.buttons`',
    chosen: 'Any objects; the channel platform gets them unchanged.',
    because: 'The platform refuses invalid objects, and `error` shows its reason.',
  },
  {
    open: 'Keys of `consents` other than `chatapp_marketing`',
    chosen: '`chatapp_marketing` is a boolean and has a meaning. Other keys are stored unchanged and have no meaning.',
    because: 'It can stay open.',
  },
  {
    open: 'Length and format limits of identifiers, names, tags and bodies',
    chosen: 'None is enforced. If the channel platform refuses a message, it becomes `failed` with the reason.',
    because: 'It can stay open. A setting limits the size of a JSON body as a whole.',
  },
  {
    open: 'Maximum lengths of text bodies, names, tags and params',
    chosen: 'None is enforced. If the channel platform refuses a message, it becomes `failed` with the reason.',
    because: 'It can stay open, as above.',
  },
  {
    open: 'The prefix of identifiers of stages, closing reasons and delivery attempts',
    chosen: 'None: the identifier is an opaque string.',
    because: 'The contract lists no prefix for them.',
  },
  {
    open: 'A member without a value',
    chosen: 'It is absent.',
    because: 'The contract gives types without null, and says "absent" for a missing value.',
  },
];
