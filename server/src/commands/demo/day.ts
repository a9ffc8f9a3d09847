import type { Persona } from '@majlis/simulator';

/** The people of the demo workspace, by the beginning of their e-mail address. */
export type Colleague = 'aisha' | 'omar' | 'sara' | 'maryam' | 'yusuf';

export const colleagues: Record<Colleague, { name: string; role: string }> = {
  aisha: { name: 'Aisha Said', role: 'owner' },
  omar: { name: 'Omar Ali', role: 'agent' },
  sara: { name: 'سارة الكندية', role: 'supervisor' },
  maryam: { name: 'مريم البلوشي', role: 'agent' },
  yusuf: { name: 'Yusuf Rahman', role: 'agent' },
};

/** The name of a file beside this one, in `files/`. */
export type DemoFile =
  | 'sofa-teal.jpg'
  | 'sofa-sand.jpg'
  | 'broken-vase.jpg'
  | 'front-door.jpg'
  | 'quotation-Q-2207.pdf';
export type DemoVoice = 'voice-ar.ogg' | 'voice-en.ogg';

export interface Place {
  latitude: number;
  longitude: number;
  name?: string;
  address?: string;
}

/** What a customer does on their phone. A string is a text; a reaction is to the latest message of the business. */
export type CustomerAct =
  | string
  | { photo: DemoFile; caption?: string }
  | { voice: DemoVoice }
  | { place: Place }
  | { react: string };

/** What a colleague does in the console. A string is a reply; a reaction is to the customer's latest message. */
export type ColleagueAct =
  | string
  | { photo: DemoFile; caption?: string }
  | { file: DemoFile; caption?: string }
  | { template: 'order_update'; params: [string, string] }
  | { choices: string[]; body: string }
  | { react: string }
  | { note: string }
  | { assign: Colleague }
  | { stage: string }
  | { snooze_minutes: number }
  | { close: string; summary: string }
  | { hand_over: 'Concierge' | 'Export desk' };

/** An act with its time, in minutes before the present. */
export type Act = [minutes_ago: number, by: 'customer', act: CustomerAct] | [number, Colleague, ColleagueAct];

export interface DemoConversation extends Omit<Persona, 'openings'> {
  /** What the business knows of the customer. */
  contact?: {
    vip?: true;
    tags?: string[];
    email?: string;
    consents?: { chatapp_marketing: boolean };
    custom_fields?: Record<string, unknown>;
  };
  /** The owner has not read it yet. */
  isUnread?: true;
  openings?: string[];
  acts: Act[];
}
