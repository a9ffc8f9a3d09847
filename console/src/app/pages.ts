import type { Session } from '@majlis/console-api';
import { mayAct, type Role } from '@majlis/console-api/roles';
import {
  Bell,
  BookUser,
  Bot,
  Building2,
  ChartLine,
  ClipboardCheck,
  Columns3,
  FileCheck,
  FileText,
  Handshake,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Megaphone,
  MessageSquareText,
  MessagesSquare,
  ScrollText,
  ShieldCheck,
  Smartphone,
  UserRound,
  Users,
  UsersRound,
  Wallet,
  Webhook,
  Workflow,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { type Membership, mayReachAll } from '../live/membership.ts';
import { loadProposalsPage } from '../proposals/load-proposals.ts';
import type { WordId } from '../words/word-id.ts';
import { lazyDesk, lazyOwn, lazyPart } from './lazy-page.tsx';

export interface WorkspacePageProps {
  membership: Membership;
  /** What the page shows of many, as a conversation. */
  object?: string | undefined;
}

export interface PageRow {
  label: WordId;
  icon: LucideIcon;
  /** The key after G that goes there. Pages of few visits have none: the views of the inbox use the other keys. */
  key?: string;
}

export interface WorkspacePage extends PageRow {
  /** Below `/w/{workspace}/`. */
  path: string;
  least: Role;
  /** Whether it reaches customers of all teams. */
  reachesAll?: true;
  /**
   * The settings have a list of their own beside the open page, and one entry in the navigation. A page that stands beside
   * another is in no list.
   */
  area: 'work' | 'settings' | 'beside';
  page: ComponentType<WorkspacePageProps>;
}

/** The pages of a workspace, in the order of the navigation. Routes, navigation, palette and titles follow this table. */
export const workspacePages: readonly WorkspacePage[] = [
  {
    path: 'inbox',
    label: 'nav.inbox',
    icon: MessagesSquare,
    least: 'agent',
    area: 'work',
    key: 'KeyI',
    page: InboxPage,
  },
  {
    path: 'proposals',
    label: 'nav.proposals',
    icon: ClipboardCheck,
    least: 'agent',
    area: 'work',
    key: 'KeyF',
    page: lazyPart(loadProposalsPage),
  },
  {
    path: 'board',
    label: 'nav.board',
    icon: Columns3,
    least: 'agent',
    area: 'work',
    key: 'KeyB',
    page: lazyDesk(async () => (await import('../board/board-page.tsx')).BoardPage),
  },
  {
    path: 'contacts',
    label: 'nav.contacts',
    icon: BookUser,
    least: 'agent',
    area: 'work',
    key: 'KeyV',
    page: lazyDesk(async () => (await import('../contacts/contacts-page.tsx')).ContactsPage),
  },
  {
    path: 'broadcasts',
    label: 'nav.broadcasts',
    icon: Megaphone,
    least: 'supervisor',
    reachesAll: true,
    area: 'work',
    key: 'KeyR',
    page: lazyDesk(async () => (await import('../broadcasts/broadcasts-page.tsx')).BroadcastsPage),
  },
  {
    path: 'templates',
    label: 'nav.templates',
    icon: FileText,
    least: 'admin',
    area: 'work',
    key: 'KeyT',
    page: lazyDesk(async () => (await import('../templates/templates-page.tsx')).TemplatesPage),
  },
  {
    path: 'canned-replies',
    label: 'nav.canned_replies',
    icon: MessageSquareText,
    least: 'agent',
    area: 'work',
    key: 'KeyQ',
    page: lazyPart(async () => (await import('../settings/canned-replies-page.tsx')).CannedRepliesPage),
  },
  {
    path: 'workflows',
    label: 'nav.workflows',
    icon: Workflow,
    least: 'admin',
    area: 'work',
    key: 'KeyW',
    page: lazyDesk(async () => (await import('../workflows/workflows-page.tsx')).WorkflowsPage),
  },
  {
    path: 'ai',
    label: 'nav.ai',
    icon: Bot,
    least: 'admin',
    area: 'work',
    key: 'KeyX',
    page: lazyDesk(async () => (await import('../ai/ai-page.tsx')).AiPage),
  },
  {
    path: 'analytics',
    label: 'nav.analytics',
    icon: ChartLine,
    least: 'supervisor',
    area: 'work',
    key: 'KeyY',
    page: lazyDesk(async () => (await import('../analytics/analytics-page.tsx')).AnalyticsPage),
  },
  {
    path: 'workspace',
    label: 'nav.workspace_settings',
    icon: Building2,
    least: 'admin',
    area: 'settings',
    page: lazyDesk(async () => (await import('../settings/workspace/workspace-page.tsx')).WorkspacePage),
  },
  {
    path: 'members',
    label: 'nav.members',
    icon: Users,
    least: 'agent',
    area: 'settings',
    key: 'KeyP',
    page: lazyDesk(async () => (await import('../settings/members-page.tsx')).MembersPage),
  },
  {
    path: 'teams',
    label: 'nav.teams',
    icon: UsersRound,
    least: 'admin',
    area: 'settings',
    key: 'KeyG',
    page: lazyDesk(async () => (await import('../settings/teams/teams-page.tsx')).TeamsPage),
  },
  {
    path: 'lists',
    label: 'nav.lists',
    icon: ListChecks,
    least: 'admin',
    area: 'settings',
    page: lazyDesk(async () => (await import('../settings/lists/lists-page.tsx')).ListsPage),
  },
  {
    path: 'channels',
    label: 'nav.channels',
    icon: Smartphone,
    least: 'admin',
    area: 'settings',
    key: 'KeyD',
    page: lazyDesk(async () => (await import('../settings/channels/channels-page.tsx')).ChannelsPage),
  },
  {
    path: 'consent',
    label: 'nav.consent',
    icon: Handshake,
    least: 'admin',
    area: 'settings',
    key: 'KeyE',
    page: lazyDesk(async () => (await import('../settings/consent-words-page.tsx')).ConsentWordsPage),
  },
  {
    path: 'api-keys',
    label: 'nav.api_keys',
    icon: KeyRound,
    least: 'admin',
    area: 'settings',
    key: 'KeyK',
    page: lazyDesk(async () => (await import('../settings/api-keys-page.tsx')).ApiKeysPage),
  },
  {
    path: 'webhooks',
    label: 'nav.webhooks',
    icon: Webhook,
    least: 'admin',
    area: 'settings',
    key: 'KeyH',
    page: lazyDesk(async () => (await import('../settings/webhooks/webhooks-page.tsx')).WebhooksPage),
  },
  {
    path: 'billing',
    label: 'nav.billing',
    icon: Wallet,
    least: 'admin',
    area: 'settings',
    page: lazyDesk(async () => (await import('../settings/billing/billing-page.tsx')).BillingPage),
  },
  {
    path: 'audit',
    label: 'nav.audit',
    icon: ScrollText,
    least: 'admin',
    area: 'settings',
    key: 'KeyL',
    page: lazyDesk(async () => (await import('../settings/audit-page.tsx')).AuditPage),
  },
  {
    path: 'receipts',
    label: 'nav.receipts',
    icon: FileCheck,
    least: 'admin',
    area: 'settings',
    key: 'KeyJ',
    page: lazyDesk(async () => (await import('../settings/receipts/receipts-page.tsx')).ReceiptsPage),
  },
  {
    path: 'contact-consents',
    label: 'nav.contacts',
    icon: BookUser,
    least: 'agent',
    area: 'beside',
    page: lazyDesk(async () => (await import('../contacts/consents-page.tsx')).ConsentsPage),
  },
];

interface PersonPage extends PageRow {
  path: string;
  needsWorkspace?: true;
  page: ComponentType<{ session: Session }>;
}

/** The pages of the person, whichever workspace is open. */
export const personPages: readonly PersonPage[] = [
  {
    path: '/profile',
    label: 'nav.profile',
    icon: UserRound,
    key: 'Comma',
    page: lazyOwn(async () => (await import('../settings/profile-page.tsx')).ProfilePage),
  },
  {
    path: '/notifications',
    label: 'person.notifications',
    icon: Bell,
    key: 'KeyO',
    needsWorkspace: true,
    page: lazyPart(async () => (await import('../settings/notifications-page.tsx')).NotificationsPage),
  },
  {
    path: '/security',
    label: 'nav.security',
    icon: ShieldCheck,
    page: lazyOwn(async () => (await import('../settings/security-page.tsx')).SecurityPage),
  },
  {
    path: '/guide',
    label: 'nav.guide',
    icon: FileText,
    page: lazyPart(async () => (await import('../guide/guide-page.tsx')).GuidePage),
  },
];

/** By the same rule as the service. */
export function mayOpen(membership: Membership, { least, reachesAll }: WorkspacePage): boolean {
  return reachesAll ? mayReachAll(membership, least) : mayAct(membership.role, least);
}

/** The pages of an area that the person may open. */
export function pagesOf(membership: Membership, area: WorkspacePage['area']): WorkspacePage[] {
  return workspacePages.filter((row) => row.area === area && mayOpen(membership, row));
}

export function addressOf({ workspace_id }: Membership, { path }: WorkspacePage): string {
  return `/w/${workspace_id}/${path}`;
}

/** The row of an address, whoever may open it. */
export function findPage(address: string): PageRow | undefined {
  const [, , , path] = address.split('/');
  return address.startsWith('/w/')
    ? workspacePages.find((row) => row.path === path)
    : personPages.find((row) => row.path === address);
}
