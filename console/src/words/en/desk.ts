import { ai } from './ai.ts';
import { analytics } from './analytics.ts';
import { audit } from './audit.ts';
import { billing } from './billing.ts';
import { broadcasts } from './broadcasts.ts';
import { channels } from './channels.ts';
import { contactBook } from './contact-book.ts';
import { contactImport } from './contact-import.ts';
import { receipts } from './receipts.ts';
import { templates } from './templates.ts';
import { tools } from './tools.ts';
import { webhooks } from './webhooks.ts';
import { workflowSteps } from './workflow-steps.ts';
import { workflows } from './workflows.ts';
import { workspaceDesk } from './workspace-desk.ts';

/** The words of the pages for administrators. They are loaded with the first of these pages. */
export const desk = {
  ...audit,
  ...broadcasts,
  ...webhooks,
  ...channels,
  ...templates,
  ...contactBook,
  ...contactImport,
  ...workflows,
  ...workflowSteps,
  ...analytics,
  ...billing,
  ...ai,
  ...workspaceDesk,
  ...receipts,
  ...tools,
};
