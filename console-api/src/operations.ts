import { aiAgentOperations } from './ai-agents.ts';
import { analyticsOperations } from './analytics.ts';
import { apiKeyOperations } from './api-keys.ts';
import { auditOperations } from './audit.ts';
import { billingOperations } from './billing.ts';
import { boardOperations } from './board.ts';
import { broadcastOperations } from './broadcasts.ts';
import { cannedReplyOperations } from './canned-replies.ts';
import { channelSetupOperations } from './channel-setup.ts';
import { consentOperations } from './consents.ts';
import { contactEditOperations } from './contact-edits.ts';
import { contactExportOperations } from './contact-export.ts';
import { contactImportOperations } from './contact-import.ts';
import { conversationOpeningOperations } from './conversation-opening.ts';
import { conversationStateOperations } from './conversation-state.ts';
import { draftOperations } from './drafts.ts';
import { endpointDeliveryOperations } from './endpoint-deliveries.ts';
import { erasureOperations } from './erasures.ts';
import { inboxOperations } from './inbox.ts';
import { knowledgeOperations } from './knowledge.ts';
import { listOperations } from './lists.ts';
import { liveOperations } from './live.ts';
import { memberOperations } from './members.ts';
import { messageSearchOperations } from './message-search.ts';
import { messageTimelineOperations } from './message-timeline.ts';
import { noticeOperations } from './notices.ts';
import { notificationSettingsOperations } from './notification-settings.ts';
import { oidcOperations } from './oidc.ts';
import { passkeyOperations } from './passkeys.ts';
import { platformNoticeOperations } from './platform-notices.ts';
import { presenceOperations } from './presence.ts';
import { proposalOperations } from './proposals.ts';
import { quoteOperations } from './quotes.ts';
import { readMarkOperations } from './read-marks.ts';
import { retentionOperations } from './retention.ts';
import { savedViewOperations } from './saved-views.ts';
import { scheduledMessageOperations } from './scheduled-messages.ts';
import { sendGateOperations } from './send-gate.ts';
import { sessionOperations } from './session.ts';
import { signInOperations } from './sign-in.ts';
import { teamOperations } from './teams.ts';
import { templateOperations } from './templates.ts';
import { threadOperations } from './thread.ts';
import { workflowOperations } from './workflows.ts';
import { workingHoursOperations } from './working-hours.ts';
import { workspaceSettingsOperations } from './workspace-settings.ts';

/** Every operation of `/console/v1` that the contract does not have, by its id. */
export const consoleOperations = {
  ...signInOperations,
  ...passkeyOperations,
  ...oidcOperations,
  ...sessionOperations,
  ...memberOperations,
  ...workingHoursOperations,
  ...apiKeyOperations,
  ...auditOperations,
  ...liveOperations,
  ...readMarkOperations,
  ...conversationOpeningOperations,
  ...draftOperations,
  ...presenceOperations,
  ...notificationSettingsOperations,
  ...noticeOperations,
  ...savedViewOperations,
  ...cannedReplyOperations,
  ...conversationStateOperations,
  ...sendGateOperations,
  ...proposalOperations,
  ...scheduledMessageOperations,
  ...quoteOperations,
  ...platformNoticeOperations,
  ...contactEditOperations,
  ...consentOperations,
  ...templateOperations,
  ...threadOperations,
  ...inboxOperations,
  ...endpointDeliveryOperations,
  ...boardOperations,
  ...channelSetupOperations,
  ...contactImportOperations,
  ...contactExportOperations,
  ...erasureOperations,
  ...messageSearchOperations,
  ...messageTimelineOperations,
  ...broadcastOperations,
  ...workflowOperations,
  ...analyticsOperations,
  ...billingOperations,
  ...aiAgentOperations,
  ...knowledgeOperations,
  ...teamOperations,
  ...listOperations,
  ...workspaceSettingsOperations,
  ...retentionOperations,
};

export type ConsoleOperationId = keyof typeof consoleOperations;
