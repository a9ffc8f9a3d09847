import type { World } from '../world/world.ts';
import type { GraphTemplate, TemplateOptions } from './graph-template.ts';

/** Adds a template without review to its business account, or to all accounts where it names none. */
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

/** Stores types and formats in upper case, whatever the input (section 5.1). */
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
