import type {
  AccountItem,
  BusinessUsernameItem,
  CapabilityItem,
  NumberNameItem,
  NumberQualityItem,
  TemplateCategoryItem,
  TemplateChangeItem,
  TemplateQualityItem,
  TemplateStatusItem,
  VolumeTierItem,
} from './account-items.ts';
import type {
  AddressBookItem,
  CallItem,
  ClickItem,
  HandoverItem,
  IdentityChangeItem,
  PaymentItem,
  UserPreferenceItem,
} from './customer-items.ts';
import type { JsonObject } from './json-object.ts';
import type {
  EchoItem,
  HistoryProgressItem,
  ImportedItem,
  MessageItem,
  RevisionItem,
  StatusItem,
} from './message-items.ts';

/** An unsupported or malformed item. `reason` names types and fields, never content. */
export interface IgnoredItem {
  type: 'ignored';
  waba_id?: string;
  phone_number_id?: string;
  field?: string;
  reason: string;
  /** The value of its change, on the first of the change's ignored items. */
  raw?: JsonObject;
}

export type PlatformItem =
  | MessageItem
  | EchoItem
  | RevisionItem
  | StatusItem
  | TemplateStatusItem
  | TemplateQualityItem
  | TemplateCategoryItem
  | TemplateChangeItem
  | NumberQualityItem
  | CapabilityItem
  | NumberNameItem
  | AccountItem
  | BusinessUsernameItem
  | VolumeTierItem
  | UserPreferenceItem
  | IdentityChangeItem
  | HandoverItem
  | ImportedItem
  | HistoryProgressItem
  | CallItem
  | ClickItem
  | PaymentItem
  | AddressBookItem
  | IgnoredItem;
