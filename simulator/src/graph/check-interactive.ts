import type { Dict } from '../world/message.ts';

import { invalidParameter, missingParameter, tooLong } from './graph-error.ts';
import { isRecord } from './is-record.ts';

type Rules = {
  bodyLimit: number;
  /** The types of a header that the platform takes with it. */
  headers: string[];
  checkAction: (action: Dict) => void;
};

const headerTypes = ['text', 'image', 'video', 'document'];
const rulesByType: Record<string, Rules> = {
  button: { bodyLimit: 1024, headers: headerTypes, checkAction: checkButtons },
  list: { bodyLimit: 4096, headers: ['text'], checkAction: checkList },
  cta_url: { bodyLimit: 1024, headers: headerTypes, checkAction: checkLink },
  flow: { bodyLimit: 1024, headers: headerTypes, checkAction: checkFlow },
  location_request_message: { bodyLimit: 1024, headers: [], checkAction: checkLocationRequest },
  request_contact_info: { bodyLimit: 1024, headers: [], checkAction: checkContactRequest },
};

/** Reply buttons and lists within the limits of section 1.2, a link, a flow, a request for the location or the number. 131009 refuses others. */
export function checkInteractive(interactive: Dict): void {
  const { type, header, body, footer, action } = interactive;
  if (type === undefined) throw missingParameter("interactive['type']");
  const rules = typeof type === 'string' && Object.hasOwn(rulesByType, type) ? rulesByType[type] : undefined;
  if (rules === undefined) throw invalidParameter("interactive['type']");
  if (!isRecord(action)) throw missingParameter("interactive['action']");
  if (!isRecord(body)) throw missingParameter("interactive['body']");
  requireText(body.text, "interactive['body']['text']", rules.bodyLimit);
  if (header !== undefined) checkHeader(header, rules.headers);
  if (footer !== undefined)
    requireText(isRecord(footer) ? footer.text : undefined, "interactive['footer']['text']", 60);
  rules.checkAction(action);
}

function checkHeader(header: unknown, types: string[]): void {
  if (!isRecord(header) || typeof header.type !== 'string') throw missingParameter("interactive['header']['type']");
  if (!types.includes(header.type)) throw invalidParameter("interactive['header']['type']");
  if (header.type === 'text') {
    requireText(header.text, "interactive['header']['text']", 60);
    return;
  }
  const media = header[header.type];
  if (!isRecord(media) || (media.id === undefined && media.link === undefined)) {
    throw missingParameter(`interactive['header']['${header.type}']`);
  }
}

function checkButtons({ buttons }: Dict): void {
  const path = "interactive['action']['buttons']";
  if (!Array.isArray(buttons)) throw missingParameter(path);
  if (buttons.length < 1 || buttons.length > 3) throw invalidParameter(path, 'must hold 1 to 3 buttons');
  for (const [index, button] of buttons.entries()) {
    const at = `${path}[${index}]`;
    if (!isRecord(button) || button.type !== 'reply') throw invalidParameter(`${at}['type']`);
    if (!isRecord(button.reply)) throw missingParameter(`${at}['reply']`);
    requireText(button.reply.title, `${at}['reply']['title']`, 20);
    const id = requireText(button.reply.id, `${at}['reply']['id']`, 256);
    if (id !== id.trim()) throw invalidParameter(`${at}['reply']['id']`, 'must not begin or end with a space');
  }
  requireUnique(
    buttons.map((button) => button.reply.id),
    path,
    'ids',
  );
  requireUnique(
    buttons.map((button) => button.reply.title),
    path,
    'titles',
  );
}

function checkList({ button, sections }: Dict): void {
  requireText(button, "interactive['action']['button']", 20);
  const path = "interactive['action']['sections']";
  if (!Array.isArray(sections)) throw missingParameter(path);
  if (sections.length < 1 || sections.length > 10) throw invalidParameter(path, 'must hold 1 to 10 sections');
  const ids: unknown[] = [];
  for (const [index, section] of sections.entries()) {
    const at = `${path}[${index}]`;
    if (!isRecord(section)) throw invalidParameter(at);
    if (sections.length > 1 || section.title !== undefined) requireText(section.title, `${at}['title']`, 24);
    if (!Array.isArray(section.rows) || section.rows.length === 0) throw missingParameter(`${at}['rows']`);
    for (const [place, row] of section.rows.entries()) ids.push(checkRow(row, `${at}['rows'][${place}]`));
  }
  if (ids.length > 10) throw invalidParameter(path, 'must hold at most 10 rows in total');
  requireUnique(ids, path, 'row ids');
}

function checkRow(row: unknown, at: string): string {
  if (!isRecord(row)) throw invalidParameter(at);
  requireText(row.title, `${at}['title']`, 24);
  if (row.description !== undefined && row.description !== '') {
    requireText(row.description, `${at}['description']`, 72);
  }
  return requireText(row.id, `${at}['id']`, 200);
}

function checkLink(action: Dict): void {
  const { display_text, url } = parametersOf(action, 'cta_url');
  requireText(display_text, `${parametersPath}['display_text']`, 20);
  const address = requireText(url, `${parametersPath}['url']`, 2_000);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) throw invalidParameter(`${parametersPath}['url']`);
}

function checkFlow(action: Dict): void {
  const { flow_message_version, flow_cta, flow_id, flow_name } = parametersOf(action, 'flow');
  if (String(flow_message_version) !== '3') throw invalidParameter(`${parametersPath}['flow_message_version']`);
  requireText(flow_cta, `${parametersPath}['flow_cta']`, 20);
  if ((flow_id === undefined) === (flow_name === undefined)) {
    throw invalidParameter(parametersPath, 'must have either flow_id or flow_name');
  }
}

function checkLocationRequest({ name }: Dict): void {
  if (name !== 'send_location') throw invalidParameter("interactive['action']['name']");
}

function checkContactRequest({ name }: Dict): void {
  if (name !== 'request_contact_info') throw invalidParameter("interactive['action']['name']");
}

const parametersPath = "interactive['action']['parameters']";

function parametersOf({ name, parameters }: Dict, expected: string): Dict {
  if (name !== expected) throw invalidParameter("interactive['action']['name']");
  if (!isRecord(parameters)) throw missingParameter(parametersPath);
  return parameters;
}

function requireText(value: unknown, path: string, limit: number): string {
  if (value === undefined || value === null || value === '') throw missingParameter(path);
  if (typeof value !== 'string') throw invalidParameter(path, 'must be a string');
  if (value.length > limit) throw tooLong(path, limit);
  return value;
}

function requireUnique(values: unknown[], path: string, what: string): void {
  if (new Set(values).size !== values.length) throw invalidParameter(path, `must have unique ${what}`);
}
