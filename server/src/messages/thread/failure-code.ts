// The contract's `error` is a text. The platform's number leads the text of a platform's refusal; the others are sentences of the
// service, as of `refuseDispatch`.
const leadingCode = /^(\d+|[a-z]+(?:_[a-z]+)+)(?:: |$)/;
const sentences: [start: string, code: string][] = [
  ['The outcome is unknown', 'outcome_unknown'],
  ['The platform could not be reached', 'platform_unreachable'],
  ['The contact was blocked', 'contact_blocked'],
  ['The broadcast was cancelled', 'broadcast_cancelled'],
  ['The template is no longer approved', 'template_not_approved'],
  ['The message that the reaction is for', 'target_not_delivered'],
  ['The file of the message could not be fetched', 'media_lost'],
];

/** What failed, by a number of the platform or a word of the service. Undefined for a text that names neither. */
export function failureCode(error: string): string | undefined {
  return leadingCode.exec(error)?.[1] ?? sentences.find(([start]) => error.startsWith(start))?.[1];
}
