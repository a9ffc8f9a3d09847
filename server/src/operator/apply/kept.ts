/** A value that people changed, so that the file did not. One of the first members names its entry. */
export interface Kept {
  user?: string;
  team?: string;
  stage?: string;
  closing_category?: string;
  /** By the name in the file. */
  workspace?: string;
  workflow?: string;
  template?: string;
  /** The phone number at the platform. */
  channel?: string;
  api_key?: string;
  ai_agent?: string;
  ai?: 'budget';
  custom_field?: string;
  business_hours?: 'hours';
  canned_reply?: string;
  consent_words?: 'words';
  retention?: 'conversations';
  saved_view?: string;
  /** By the address. */
  webhook_endpoint?: string;
  member: string;
  value: string | null;
  /** What the file says. */
  in_file: string;
}
