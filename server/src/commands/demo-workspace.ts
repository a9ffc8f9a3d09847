import { createHmac } from 'node:crypto';
import type { SimulatorOptions } from '@majlis/simulator';
import type { LocalSecrets } from '../process/local-secrets.ts';
import { colleagues } from './demo/day.ts';

/** The workspace of `majlis dev`, with the same number and templates in the simulator's form. */
export interface DemoWorkspace {
  /** The workspace file for `PUT /operator/workspaces`. */
  file: object;
  platform: Pick<SimulatorOptions, 'webhook' | 'numbers' | 'templates'>;
}

export const demoName = 'Acme';
export const demoKeyName = 'demo';
export const demoOwner = { ...colleagues.aisha, email: 'aisha@acme.example' };
export const demoPhoneNumberId = '300400';
export const demoCustomer = { name: 'Muna', phone: '+96891234567' };

/** A send that works at every start: a template needs no open window. */
export const demoMessage = {
  to: demoCustomer.phone,
  kind: 'template',
  template: { name: 'order_update', language: 'en', params: [demoCustomer.name, 'A-1042'] },
};

/** `callback_url` is the service's URL for the platform's notifications. */
export function demoWorkspace({ secret_key }: LocalSecrets, callback_url: string): DemoWorkspace {
  // The secrets differ per installation: with a known secret, anybody could send notifications as the platform.
  const secretOf = (name: string) => createHmac('sha256', secret_key).update(`demo ${name}`).digest('hex');
  const webhook = { app_secret: secretOf('app_secret'), verify_token: secretOf('verify_token') };
  const number = {
    phone_number_id: demoPhoneNumberId,
    waba_id: '100200',
    display_phone: '+96880000001',
    verified_name: 'Acme',
    access_token: secretOf('access_token'),
    messaging_tier: 1000,
  };
  return {
    file: {
      ...acme,
      channels: [{ type: 'chatapp', name: 'Support', ...number, ...webhook }],
      templates: templates.map(({ name, language, category, text, examples }) => {
        return { name, language, category, components: [{ type: 'body', text, examples }] };
      }),
    },
    platform: {
      webhook: { callback_url, ...webhook },
      numbers: [number],
      templates: templates.map(({ name, language, category, text, examples }) => {
        const body = { type: 'BODY', text, ...(examples.length > 0 && { example: { body_text: [examples] } }) };
        return { name, language, category, components: [body] };
      }),
    },
  };
}

const acme = {
  workspace: {
    name: demoName,
    industry: 'retail',
    country: 'OM',
    timezone: 'Asia/Muscat',
    language: 'en',
    plan: 'growth',
  },
  wallet: { balance_minor: 500_000, currency: 'OMR' },
  prices: { marketing: 25, utility: 8, authentication: 6, service: 0 },
  stages: [
    { name: 'New lead', emoji: '🌱' },
    { name: 'Customer', emoji: '⭐' },
  ],
  closing_categories: [{ name: 'Resolved' }, { name: 'No answer' }],
  users: Object.entries(colleagues).map(([who, person]) => ({ ...person, email: `${who}@acme.example` })),
  teams: [
    { name: 'Sales', members: ['omar@acme.example', 'maryam@acme.example'] },
    { name: 'Service', members: ['yusuf@acme.example', 'sara@acme.example'] },
  ],
  // The demo shows conversations that nobody has taken.
  assignment: 'none',
  ai_agents: [
    { name: 'Concierge', languages: ['ar', 'en'] },
    { name: 'Export desk', languages: ['ar', 'en'], proposes: true },
  ],
  workflows: [
    {
      name: 'Welcome',
      status: 'published',
      trigger: 'api_call',
      control: 'human',
      steps: [
        {
          do: 'send_template',
          template: 'order_update',
          language: 'en',
          params: ['{{contact.name}}', '{{trigger.variables.order_number}}'],
        },
      ],
    },
  ],
  api_keys: [{ name: demoKeyName, environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
};

const templates = [
  {
    name: 'order_update',
    language: 'en',
    category: 'utility',
    text: 'Hello {{1}}, your order {{2}} is on its way.',
    examples: ['Muna', 'A-1042'],
  },
  {
    name: 'order_update',
    language: 'ar',
    category: 'utility',
    text: 'مرحبا {{1}}، طلبك {{2}} في الطريق إليك.',
    examples: ['منى', 'A-1042'],
  },
  {
    name: 'spring_sale',
    language: 'en',
    category: 'marketing',
    text: 'Everything at half price until Friday.',
    examples: [] as string[],
  },
  {
    name: 'national_day',
    language: 'ar',
    category: 'marketing',
    text: 'كل عام وأنتم بخير: خصم في كل فروعنا حتى نهاية الأسبوع.',
    examples: [],
  },
  {
    name: 'winter_sale',
    language: 'en',
    category: 'marketing',
    text: 'The winter sale ends on Friday.',
    examples: [],
  },
];
