import type { Role } from '@majlis/console-api/roles';
import {
  BookUser,
  Bot,
  Building2,
  ChartLine,
  Columns3,
  FileCheck,
  FileText,
  Handshake,
  KeyRound,
  ListChecks,
  Megaphone,
  MessageSquareText,
  MessagesSquare,
  ScrollText,
  Smartphone,
  Users,
  UsersRound,
  Wallet,
  Webhook,
  Workflow,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { WordId } from '../words/word-id.ts';

export interface Place {
  /** Below `/w/{workspace}/`. */
  path: string;
  label: WordId;
  icon: ReactNode;
  least: Role;
  /** The settings have a list of their own beside the page, and one entry in the navigation. */
  area: 'work' | 'settings';
  /** The key after G that goes there. Pages of few visits have none: the views of the inbox use the other keys. */
  key?: string;
}

/** The pages of a workspace, in the order of the navigation. */
export const places: readonly Place[] = [
  {
    path: 'inbox',
    label: 'nav.inbox',
    icon: <MessagesSquare size={18} aria-hidden />,
    least: 'agent',
    area: 'work',
    key: 'KeyI',
  },
  {
    path: 'board',
    label: 'nav.board',
    icon: <Columns3 size={18} aria-hidden />,
    least: 'agent',
    area: 'work',
    key: 'KeyB',
  },
  {
    path: 'contacts',
    label: 'nav.contacts',
    icon: <BookUser size={18} aria-hidden />,
    least: 'agent',
    area: 'work',
    key: 'KeyV',
  },
  {
    path: 'broadcasts',
    label: 'nav.broadcasts',
    icon: <Megaphone size={18} aria-hidden />,
    least: 'supervisor',
    area: 'work',
    key: 'KeyR',
  },
  {
    path: 'templates',
    label: 'nav.templates',
    icon: <FileText size={18} aria-hidden />,
    least: 'admin',
    area: 'work',
    key: 'KeyT',
  },
  {
    path: 'canned-replies',
    label: 'nav.canned_replies',
    icon: <MessageSquareText size={18} aria-hidden />,
    least: 'agent',
    area: 'work',
    key: 'KeyQ',
  },
  {
    path: 'workflows',
    label: 'nav.workflows',
    icon: <Workflow size={18} aria-hidden />,
    least: 'admin',
    area: 'work',
    key: 'KeyW',
  },
  {
    path: 'ai',
    label: 'nav.ai',
    icon: <Bot size={18} aria-hidden />,
    least: 'admin',
    area: 'work',
    key: 'KeyX',
  },
  {
    path: 'analytics',
    label: 'nav.analytics',
    icon: <ChartLine size={18} aria-hidden />,
    least: 'supervisor',
    area: 'work',
    key: 'KeyY',
  },
  {
    path: 'workspace',
    label: 'nav.workspace_settings',
    icon: <Building2 size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
  },
  {
    path: 'members',
    label: 'nav.members',
    icon: <Users size={18} aria-hidden />,
    least: 'agent',
    area: 'settings',
    key: 'KeyP',
  },
  {
    path: 'teams',
    label: 'nav.teams',
    icon: <UsersRound size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
    key: 'KeyG',
  },
  {
    path: 'lists',
    label: 'nav.lists',
    icon: <ListChecks size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
  },
  {
    path: 'channels',
    label: 'nav.channels',
    icon: <Smartphone size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
    key: 'KeyD',
  },
  {
    path: 'consent',
    label: 'nav.consent',
    icon: <Handshake size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
    key: 'KeyE',
  },
  {
    path: 'api-keys',
    label: 'nav.api_keys',
    icon: <KeyRound size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
    key: 'KeyK',
  },
  {
    path: 'webhooks',
    label: 'nav.webhooks',
    icon: <Webhook size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
    key: 'KeyH',
  },
  {
    path: 'billing',
    label: 'nav.billing',
    icon: <Wallet size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
  },
  {
    path: 'audit',
    label: 'nav.audit',
    icon: <ScrollText size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
    key: 'KeyL',
  },
  {
    path: 'receipts',
    label: 'nav.receipts',
    icon: <FileCheck size={18} aria-hidden />,
    least: 'admin',
    area: 'settings',
    key: 'KeyJ',
  },
];
