import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { RequestedModel } from '../ai/requested-model.ts';
import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import type { Bodies } from '../http/pipeline.ts';
import type { Serve } from '../http/serve.ts';
import type { LiveStreams } from '../live/live-streams.ts';
import { createIdentityProvider } from '../people/oidc/identity-provider.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Resources } from '../process/resources.ts';
import { aiAgentRoutes } from './ai-agent-routes.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { createAuthenticatePerson } from './authenticate-person.ts';
import { boardRoutes } from './board-routes.ts';
import { broadcastStateRoutes } from './broadcast-state-routes.ts';
import { createDeviceCookie, createOidcStateCookie, createSessionCookie } from './browser-cookies.ts';
import { cannedReplyRoutes } from './canned-reply-routes.ts';
import { channelSetupRoutes } from './channel-setup-routes.ts';
import { consentRoutes } from './consent-routes.ts';
import { contactEditRoutes } from './contact-edit-routes.ts';
import { contactExportRoutes } from './contact-export-routes.ts';
import { contactImportRoutes } from './contact-import-routes.ts';
import { conversationStateRoutes } from './conversation-state-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { endpointDeliveryRoutes } from './endpoint-delivery-routes.ts';
import { consoleErasureRoutes } from './erasure-routes.ts';
import { fieldAndTagRoutes } from './field-and-tag-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { knowledgeRoutes } from './knowledge-routes.ts';
import { listRoutes } from './list-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { messageSearchRoutes } from './message-search-routes.ts';
import { messageTimelineRoutes } from './message-timeline-routes.ts';
import { noticeRoutes } from './notice-routes.ts';
import { notificationSettingsRoutes } from './notification-settings-routes.ts';
import { oidcCallback, oidcRoutes } from './oidc-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { platformNoticeRoutes } from './platform-notice-routes.ts';
import { presenceRoutes } from './presence-routes.ts';
import { proposalRoutes } from './proposal-routes.ts';
import { quoteRoutes } from './quote-routes.ts';
import { readMarkRoutes } from './read-mark-routes.ts';
import { reportRoutes } from './report-routes.ts';
import { retentionRoutes } from './retention-routes.ts';
import { savedViewRoutes } from './saved-view-routes.ts';
import { scheduledMessageRoutes } from './scheduled-message-routes.ts';
import { sendGateRoutes } from './send-gate-routes.ts';
import { createServeConsole } from './serve-console.ts';
import { servePeople } from './serve-people.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { streamRoutes } from './stream-routes.ts';
import { teamRoutes } from './team-routes.ts';
import { templateRoutes } from './template-routes.ts';
import { threadRoutes } from './thread-routes.ts';
import { workflowEditRoutes } from './workflow-edit-routes.ts';
import { workflowRunRoutes } from './workflow-run-routes.ts';
import { workingHoursRoutes } from './working-hours-routes.ts';
import { workspaceSettingsRoutes } from './workspace-settings-routes.ts';

interface ConsoleRoutes {
  resources: Resources;
  platform: PlatformClient;
  live: LiveStreams;
  limiter: RateLimiter;
  bodies: Bodies;
  /** For those who have not signed in. */
  strangersBodies: Bodies;
  model: RequestedModel;
  /** The operations of the contract, which people perform too. */
  modules: (serve: Serve) => void;
}

/** The API of the console, `/console/v1`. It is for this installation's own console and promises nothing to other clients. */
export async function consoleRoutes(
  app: FastifyInstance,
  { resources, platform, live, limiter, bodies, strangersBodies, model, modules }: ConsoleRoutes,
): Promise<void> {
  await app.register(cookies);
  const people = createAuthenticatePerson(resources, limiter);
  const context = { ...resources, limiter };
  const { config } = resources;
  const provider = createIdentityProvider(resources);
  const cookie = createSessionCookie(config.publicUrl);
  const stateCookie = createOidcStateCookie(config.publicUrl);
  app.register(async (own) => {
    const serve = createServeConsole({
      app: own,
      pool: resources.pool,
      clock: resources.clock,
      people,
      bodies: strangersBodies,
      bounds: config.bounds,
      listBytes: config.bodyLimitBytes,
      cookie,
      stateCookie,
      deviceCookie: createDeviceCookie(config.publicUrl),
    });
    signInRoutes(serve, context);
    passkeyRoutes(serve, context);
    oidcRoutes(serve, context, provider);
    sessionRoutes(serve, context);
    memberRoutes(serve, context);
    workingHoursRoutes(serve, resources);
    apiKeyRoutes(serve, resources);
    auditRoutes(serve, resources);
    streamRoutes(serve, live);
    readMarkRoutes(serve, resources);
    draftRoutes(serve, resources);
    presenceRoutes(serve, resources);
    notificationSettingsRoutes(serve, resources);
    noticeRoutes(serve, resources);
    savedViewRoutes(serve, resources);
    cannedReplyRoutes(serve, resources);
    conversationStateRoutes(serve, resources);
    sendGateRoutes(serve, resources);
    scheduledMessageRoutes(serve, resources);
    proposalRoutes(serve, resources);
    quoteRoutes(serve, resources);
    platformNoticeRoutes(serve, resources);
    contactEditRoutes(serve, resources);
    consentRoutes(serve, resources);
    threadRoutes(serve, resources);
    messageSearchRoutes(serve, resources);
    messageTimelineRoutes(serve, resources);
    inboxRoutes(serve, resources);
    endpointDeliveryRoutes(serve, resources);
    boardRoutes(serve, resources);
    channelSetupRoutes(serve, resources, platform);
    contactImportRoutes(serve, resources);
    contactExportRoutes(serve, resources);
    broadcastStateRoutes(serve, resources);
    workflowEditRoutes(serve, resources);
    workflowRunRoutes(serve, resources);
    reportRoutes(serve, resources);
    aiAgentRoutes(serve, resources);
    knowledgeRoutes(serve, resources, model);
    teamRoutes(serve, resources);
    templateRoutes(serve, resources);
    listRoutes(serve, resources);
    fieldAndTagRoutes(serve, resources);
    workspaceSettingsRoutes(serve, resources);
    retentionRoutes(serve, resources);
    consoleErasureRoutes(serve, resources);
  });
  if (provider) {
    app.register((door) => oidcCallback(door, { context, provider, people, sessionCookie: cookie, stateCookie }));
  }
  app.register((shared) => servePeople(shared, { resources, people, bodies, modules }), {
    prefix: '/workspaces/:workspace_id',
  });
}
