import type { FastifyInstance } from 'fastify';
import { addTemplate } from '../templates/add-template.ts';
import { changeTemplate, type GraphTemplateChange } from '../templates/change-template.ts';
import type { TemplateOptions } from '../templates/graph-template.ts';
import { templateScripts } from '../templates/template-scripts.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

/** Adds templates without review, and changes them as the platform does. */
export function templateControl(app: FastifyInstance, world: World, sender: Sender): void {
  app.get('/template-scripts', async () => templateScripts);
  app.get('/templates', async () => [...world.templates.values()]);
  app.post<{ Body: TemplateOptions }>('/templates', async (request, reply) => {
    const { name, language, category, components } = request.body ?? {};
    if (!name || !language || !category || !Array.isArray(components)) {
      throw new ControlError(400, 'name, language, category and components are required');
    }
    return reply.code(201).send(addTemplate(world, request.body));
  });
  app.patch<{ Params: { id: string }; Body: GraphTemplateChange }>('/templates/:id', async (request) => {
    const template = world.templates.get(request.params.id);
    if (template === undefined) throw new ControlError(404, `no template ${request.params.id}`);
    changeTemplate(world, sender, template, request.body);
    return template;
  });
}
