/** The platform's texts of a code (platform protocol, section 2.3). `http`: the documented status of a refusal. */
export type GraphErrorCode = { http: number; title: string; details?: string; subcode?: number };

const codes: Record<number, GraphErrorCode> = {
  0: { http: 401, title: 'AuthException', details: 'The access token was invalidated.' },
  1: { http: 400, title: 'API Unknown' },
  2: { http: 503, title: 'API Service', details: 'Temporary due to downtime or due to being overloaded.' },
  3: { http: 500, title: 'API Method', details: 'Capability or permissions issue.' },
  4: { http: 400, title: 'Application request limit reached' },
  10: { http: 403, title: 'Permission Denied', details: 'Permission is either not granted or has been removed.' },
  33: { http: 400, title: 'Parameter value is not valid', details: 'The business phone number has been deleted.' },
  100: { http: 400, title: 'Invalid parameter' },
  104: { http: 401, title: 'An access token is required to request this resource.' },
  190: { http: 401, title: 'Access token has expired' },
  368: { http: 403, title: 'Temporarily blocked for policies violations' },
  80007: { http: 400, title: 'Rate limit issues', details: 'The business account has reached its rate limit.' },
  130429: {
    http: 400,
    title: 'Rate limit hit',
    details: 'Cloud API message throughput has been reached.',
    subcode: 2494055,
  },
  130472: { http: 400, title: "User's number is part of an experiment" },
  130497: { http: 403, title: 'Business account is restricted from messaging users in this country.' },
  131000: { http: 500, title: 'Something went wrong' },
  131005: { http: 403, title: 'Access denied' },
  131008: { http: 400, title: 'Required parameter is missing' },
  131009: { http: 400, title: 'Parameter value is not valid' },
  131016: { http: 500, title: 'Service unavailable' },
  131021: { http: 400, title: 'Recipient cannot be sender' },
  131026: { http: 400, title: 'Message undeliverable', details: 'Message Undeliverable.' },
  131030: { http: 400, title: 'Recipient phone number not in allowed list' },
  131031: { http: 403, title: 'Business Account locked' },
  131037: { http: 400, title: 'Display name approval is needed' },
  131042: { http: 400, title: 'Business eligibility payment issue' },
  131045: { http: 500, title: 'Incorrect certificate' },
  131047: {
    http: 400,
    title: 'Re-engagement message',
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  },
  131048: { http: 400, title: 'Spam rate limit hit' },
  131049: {
    http: 400,
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
  },
  131050: { http: 400, title: 'User has stopped receiving marketing messages from this business' },
  131051: { http: 400, title: 'Unsupported message type' },
  131052: { http: 400, title: 'Media download error' },
  131053: { http: 400, title: 'Media upload error' },
  131056: {
    http: 400,
    title: '(Business Account, Consumer Account) pair rate limit hit',
    details:
      'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.',
    subcode: 2494071,
  },
  131057: { http: 500, title: 'Account in maintenance mode' },
  131059: { http: 400, title: 'Invalid cursor' },
  131060: { http: 400, title: 'This message is unavailable' },
  131062: { http: 400, title: 'Recipient not allowed for authentication templates' },
  132000: { http: 400, title: 'Number of parameters does not match the expected number of params' },
  132001: { http: 404, title: 'Template name does not exist in the translation' },
  132005: { http: 400, title: 'Translated text too long' },
  132007: { http: 400, title: 'Template content policy violation' },
  132012: { http: 400, title: 'Parameter format does not match format in the created template' },
  132015: { http: 400, title: 'Template is paused' },
  132016: { http: 400, title: 'Template is disabled' },
  132018: { http: 400, title: 'Invalid template parameter' },
  133000: { http: 500, title: 'Incomplete deregistration' },
  133004: { http: 503, title: 'Server temporarily unavailable' },
  133005: { http: 400, title: 'Two-step verification PIN mismatch' },
  133010: { http: 400, title: 'Account not registered' },
  133016: { http: 400, title: 'Account register or deregister rate limit exceeded' },
  135000: { http: 400, title: 'Generic user error' },
  137000: { http: 400, title: 'Identity key hash mismatch' },
  139100: { http: 400, title: 'Failed to block or unblock some users' },
};

export function describeCode(code: number): GraphErrorCode {
  return codes[code] ?? { http: 400, title: 'Unknown error' };
}

/** An error inside a failed status or an inbound message (section 2.2). */
export function asyncError(code: number, details = describeCode(code).details): AsyncError {
  const { title } = describeCode(code);
  return {
    code,
    title,
    message: title,
    ...(details !== undefined && { error_data: { details } }),
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  };
}

export type AsyncError = {
  code: number;
  title: string;
  message: string;
  error_data?: { details: string };
  href?: string;
};
