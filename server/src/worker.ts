import { answerMessageHandler } from './ai/answers/answer-message.ts';
import { embedMissing } from './ai/jobs.ts';
import { embedMissingHandler } from './ai/knowledge/embed-missing.ts';
import { indexSourceHandler } from './ai/knowledge/index-source.ts';
import { createModel } from './ai/model.ts';
import { forgetProposals } from './automation/forget-proposals.ts';
import { sendBatchHandler } from './broadcasts/send-batch.ts';
import { startBroadcastHandler } from './broadcasts/start-broadcast.ts';
import { refreshChannelHandler } from './channels/refresh-channel.ts';
import { contactHolders } from './contact-holders.ts';
import { forgetImportsHandler } from './contacts/import/forget-imports.ts';
import { forgetImports } from './contacts/import/jobs.ts';
import { importChunkHandler } from './contacts/import/run-import.ts';
import { rewriteContactsHandler } from './contacts/write/rewrite-contacts.ts';
import { replaceReferenceHandler } from './conversations/change/replace-reference.ts';
import { wakeConversationHandler } from './conversations/change/wake-conversation.ts';
import { analyzeGrownTables } from './database/analyze-grown-tables.ts';
import { createMailer } from './email/create-mailer.ts';
import { forgetKeys, forgetKeysHandler } from './http/idempotency/forget-keys.ts';
import { processWebhookHandler } from './inbound/process-webhook.ts';
import { retryRevisionHandler } from './inbound/retry-revision.ts';
import { retryStatusHandler } from './inbound/retry-status.ts';
import { splitWebhookHandler } from './inbound/split-webhook.ts';
import { beginRepeating } from './jobs/repeat-job.ts';
import { type JobRunner, runJobs } from './jobs/run-jobs.ts';
import { forgetLiveChangesHandler } from './live/forget-live-changes.ts';
import { forgetLiveChanges } from './live/jobs.ts';
import { sweepMedia } from './media/jobs.ts';
import { createProvidePlatformMedia } from './media/provide-platform-media.ts';
import { removeFilesHandler } from './media/remove-media.ts';
import { sweepMediaHandler } from './media/sweep-media.ts';
import { answerAwayHandler } from './messages/away/answer-away.ts';
import { deliverMessageHandlers } from './messages/dispatch/deliver-message.ts';
import { expireUnknownOutcomeHandler } from './messages/dispatch/expire-unknown-outcome.ts';
import { eraseHistoryHandler } from './messages/erase-messages.ts';
import { dispatchKinds, forgetErasedCalls, forgetScheduled, indexMessages } from './messages/jobs.ts';
import { mailMentionHandler } from './messages/notes/mail-mention.ts';
import { forgetErasedCallsHandler } from './messages/receive/erased-calls.ts';
import { fetchMediaHandler } from './messages/receive/fetch-media.ts';
import { linkQuoteHandler } from './messages/receive/link-quotes.ts';
import { forgetScheduledHandler } from './messages/scheduled/forget-scheduled.ts';
import { sendScheduledHandler } from './messages/scheduled/send-scheduled.ts';
import { indexMessagesHandler } from './messages/search/index-messages.ts';
import { forgetSessionsHandler } from './people/forget-sessions.ts';
import { forgetSessions } from './people/jobs.ts';
import { mailInvitationHandler, mailProofHandler, mailResetHandler } from './people/mail-links.ts';
import type { PlatformClient } from './platform/client.ts';
import type { MediaClient } from './platform/media/media-client.ts';
import type { Resources } from './process/resources.ts';
import { forgetProposalsHandler } from './proposals/forget-proposals.ts';
import { applyRetention } from './retention/jobs.ts';
import { applyRetentionHandler, deleteConversationsHandler } from './retention/run-retention.ts';
import { sealedPlaces } from './sealed-places.ts';
import { resealSecrets, resealSecretsHandler } from './secrets/reseal-secrets.ts';
import { removeTemplateHandler } from './templates/platform/remove-template.ts';
import { submitTemplateHandler } from './templates/platform/submit-template.ts';
import { syncTemplatesHandler } from './templates/platform/sync-templates.ts';
import { deleteOldHandler } from './webhook-endpoints/deliver/delete-old.ts';
import { deliverEventHandler } from './webhook-endpoints/deliver/deliver-event.ts';
import { emailAdminHandler } from './webhook-endpoints/deliver/email-admin.ts';
import { fanOutEventsHandler } from './webhook-endpoints/deliver/fan-out-events.ts';
import { tidyEndpointHandler } from './webhook-endpoints/deliver/tidy-endpoint.ts';
import { deleteOld } from './webhook-endpoints/jobs.ts';
import { beginRunHandler } from './workflows/run/begin-run.ts';
import { continueRunHandler } from './workflows/run/continue-run.ts';

/** Binds every kind of job to its handler, one line each, and runs the jobs. */
export async function startWorker(
  resources: Resources,
  platform: PlatformClient,
  media: MediaClient,
): Promise<JobRunner> {
  const { config, pool, clock, log, metrics } = resources;
  const model = createModel({ ai: config.ai, timeout_ms: config.aiTimeoutSeconds * 1000 });
  await beginRepeating(pool, clock, {
    at_once: [
      indexMessages,
      ...(model.embed ? [embedMissing] : []),
      ...(resources.secretBox.heads.old.length > 0 ? [resealSecrets] : []),
    ],
    tidying: [
      sweepMedia,
      deleteOld,
      forgetKeys,
      forgetSessions,
      forgetLiveChanges,
      forgetScheduled,
      forgetProposals,
      forgetImports,
      forgetErasedCalls,
      applyRetention,
    ],
  });
  const analysis = analyzeGrownTables(pool, log);
  const runner = await runJobs({
    pool,
    clock,
    log,
    metrics,
    lease_seconds: config.leaseSeconds,
    handlers: [
      ...deliverMessageHandlers(resources, platform, createProvidePlatformMedia(resources, media)),
      startBroadcastHandler(resources),
      sendBatchHandler(resources),
      importChunkHandler(resources),
      forgetImportsHandler(resources),
      forgetErasedCallsHandler(resources),
      beginRunHandler(resources),
      continueRunHandler(resources),
      wakeConversationHandler(resources),
      replaceReferenceHandler(resources),
      rewriteContactsHandler(resources),
      indexSourceHandler(resources, model),
      ...(model.embed ? [embedMissingHandler(resources, model.embed)] : []),
      answerMessageHandler(resources, model),
      answerAwayHandler(resources),
      expireUnknownOutcomeHandler(resources),
      eraseHistoryHandler(resources),
      sendScheduledHandler(resources),
      forgetScheduledHandler(resources),
      forgetProposalsHandler(resources),
      applyRetentionHandler(resources),
      deleteConversationsHandler(resources),
      mailMentionHandler(resources, createMailer(config, log)),
      fetchMediaHandler(resources, media),
      removeFilesHandler(resources),
      sweepMediaHandler(resources),
      mailInvitationHandler(resources, createMailer(config, log)),
      mailResetHandler(resources, createMailer(config, log)),
      mailProofHandler(resources, createMailer(config, log)),
      forgetSessionsHandler(resources),
      forgetLiveChangesHandler(resources),
      indexMessagesHandler(resources),
      splitWebhookHandler(resources),
      processWebhookHandler(resources, contactHolders),
      linkQuoteHandler(resources),
      retryStatusHandler(resources),
      retryRevisionHandler(resources),
      refreshChannelHandler(resources, platform),
      syncTemplatesHandler(resources, platform),
      submitTemplateHandler(resources, platform),
      removeTemplateHandler(resources, platform, dispatchKinds),
      deliverEventHandler(resources),
      fanOutEventsHandler(resources),
      tidyEndpointHandler(resources),
      deleteOldHandler(resources),
      forgetKeysHandler(resources),
      resealSecretsHandler(resources, sealedPlaces),
      emailAdminHandler(resources, createMailer(config, log)),
    ],
  });
  return {
    ...runner,
    async stop() {
      await Promise.all([runner.stop(), analysis.stop()]);
    },
  };
}
