import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deleteByName, unpauseTemplate } from '../templates/edit-template.ts';
import type { GraphTemplate } from '../templates/graph-template.ts';
import { submitNewTemplate } from '../templates/submit-new-template.ts';
import { templateScriptFor } from '../templates/template-scripts.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { BusinessAccount } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { accountFor, authenticate, tokenOpens } from './authenticate.ts';
import { checkManagementRate } from './check-rates.ts';
import { GraphError, unknownObject } from './graph-error.ts';
import { type PageQuery, pageList, pickFields } from './page-list.ts';
import { readJson } from './read-body.ts';

type Filters = {
  name?: string;
  status?: string;
  category?: string;
  language?: string;
  content?: string;
  name_or_content?: string;
};
type ListRoute = {
  Params: { id: string };
  Querystring: PageQuery & Filters & { fields?: string; quality_score?: string };
};

export const templateDefaults = ['name', 'parameter_format', 'components', 'language', 'status', 'category'];

/** Templates of a business account (section 5). */
export function graphTemplateRoutes(app: FastifyInstance, world: World, sender: Sender): void {
  const accountOf = (request: FastifyRequest<{ Params: { id: string } }>): BusinessAccount => {
    const token = authenticate(world, request.headers.authorization);
    const account = accountFor(world, token, request.params.id, request.method);
    checkManagementRate(world, account);
    return account;
  };

  app.post<{ Params: { id: string } }>('/:id/message_templates', async (request, reply) => {
    const account = accountOf(request);
    const body = readJson(request.body);
    const fault = takeFault(account, String(body.name));
    if (fault === 'unavailable') throw new GraphError(2);
    if (fault === 'rate_limited') throw new GraphError(80007);
    const created = submitNewTemplate(world, sender, account, body);
    if (fault !== 'answer_lost') return created;
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
    return undefined;
  });
  app.get<ListRoute>('/:id/message_templates', async (request) => {
    const account = accountOf(request);
    const matching = [...world.templates.values()].filter(
      (one) => one.waba_id === account.id && matches(one, request.query),
    );
    const resources = matching.map((one) =>
      pickFields(presentGraphTemplate(world, one), request.query.fields, templateDefaults),
    );
    return pageList(resources, request.query, `${world.url}${request.url}`);
  });
  app.delete<{ Params: { id: string }; Querystring: { name?: string; hsm_id?: string } }>(
    '/:id/message_templates',
    async (request) => deleteByName(world, accountOf(request), request.query),
  );
  app.post<{ Params: { id: string } }>('/:id/unpause', async (request) => {
    const token = authenticate(world, request.headers.authorization);
    return unpauseTemplate(world, sender, templateFor(world, token, request.params.id, 'POST'));
  });
}

/** The fault that a name orders for its first call. */
function takeFault(account: BusinessAccount, name: string): ReturnType<typeof templateScriptFor>['fault'] {
  const { fault } = templateScriptFor(name);
  if (fault === undefined || account.played_faults.has(name)) return undefined;
  account.played_faults.add(name);
  return fault;
}

export function templateFor(world: World, token: string, id: string, method: string): GraphTemplate {
  const template = world.templates.get(id);
  if (template === undefined || !tokenOpens(world, token, template.waba_id)) throw unknownObject(method, id);
  return template;
}

/** All fields of a template (section 5.3). The sample of a media header becomes an address. */
export function presentGraphTemplate(world: World, template: GraphTemplate): Dict {
  const components = template.components.map((part) =>
    part.example?.header_handle === undefined
      ? part
      : { ...part, example: { header_handle: [`${world.url}/samples/${template.id}`] } },
  );
  return {
    id: template.id,
    name: template.name,
    language: template.language,
    status: template.status,
    category: template.category,
    parameter_format: template.parameter_format,
    components,
    rejected_reason: template.rejected_reason,
    quality_score: { score: template.quality, date: Math.floor(template.created_at / 1000) },
    ...(template.previous_category !== undefined && { previous_category: template.previous_category }),
    ...(template.message_send_ttl_seconds !== undefined && {
      message_send_ttl_seconds: template.message_send_ttl_seconds,
    }),
  };
}

/** As at the platform, `name` matches any name that contains it. */
function matches(template: GraphTemplate, query: ListRoute['Querystring']): boolean {
  const text = JSON.stringify(template.components).toLowerCase();
  const has = (whole: string, part: string | undefined) =>
    part === undefined || whole.toLowerCase().includes(part.toLowerCase());
  const is = (value: string, wanted: string | undefined) => wanted === undefined || value === wanted.toUpperCase();
  return (
    has(template.name, query.name) &&
    has(text, query.content) &&
    has(`${template.name} ${text}`, query.name_or_content) &&
    is(template.status, query.status) &&
    is(template.category, query.category) &&
    is(template.quality, query.quality_score) &&
    (query.language === undefined || template.language === query.language)
  );
}
