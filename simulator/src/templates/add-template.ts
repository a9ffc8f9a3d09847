import type { World } from '../world/world.ts';
import type { GraphTemplate, TemplateOptions } from './graph-template.ts';

/** Puts a template in place without review: in its business account, or in every account when it names none. */
export function addTemplate(world: World, options: TemplateOptions): GraphTemplate[] {
  const accounts = options.waba_id === undefined ? [...world.accounts.keys()] : [options.waba_id];
  return accounts.map((waba_id) => {
    const same = [...world.templates.values()].find(
      (one) => one.waba_id === waba_id && one.name === options.name && one.language === options.language,
    );
    const template: GraphTemplate = {
      ...makeTemplate(same?.id ?? `88${world.random.digits(13)}`, waba_id, options, world.now()),
      status: options.status ?? 'APPROVED',
    };
    world.templates.set(template.id, template);
    world.changes.emit('other', 'templates');
    return template;
  });
}

/** Upper case on output, whatever the input was (section 5.1). */
export function makeTemplate(id: string, waba_id: string, given: TemplateOptions, now: number): GraphTemplate {
  return {
    id,
    waba_id,
    name: given.name,
    language: given.language,
    category: given.category.toUpperCase(),
    status: 'PENDING',
    parameter_format: given.parameter_format?.toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: given.components.map((part) => ({
      ...part,
      type: part.type.toUpperCase(),
      ...(part.format !== undefined && { format: part.format.toUpperCase() }),
      ...(part.buttons !== undefined && {
        buttons: part.buttons.map((button) => ({ ...button, type: button.type.toUpperCase() })),
      }),
    })),
    rejected_reason: 'NONE',
    quality: 'UNKNOWN',
    created_at: now,
    edits: [],
  };
}
