import type { JsonObject } from '../json-object.ts';
import type { NewTemplate, PlatformTemplateComponent } from '../template.ts';

type Button = NonNullable<PlatformTemplateComponent['buttons']>[number];

/**
 * Composes the body of `POST /{waba_id}/message_templates` (section 5.1). Members unknown to the contract
 * (`add_security_recommendation`, `otp_type`) are sent unchanged.
 */
export function composeTemplate({ name, language, category, components }: NewTemplate): JsonObject {
  const parts = category === 'authentication' ? composeAuthentication(components) : components.map(composeComponent);
  return { name, language, category: category.toUpperCase(), parameter_format: 'positional', components: parts };
}

function composeComponent(component: PlatformTemplateComponent): JsonObject {
  const { type, format, text, examples = [], buttons, ...others } = component;
  const example = composeExample(component, examples);
  return {
    ...others,
    type: type.toUpperCase(),
    ...(format !== undefined && type === 'header' && { format: format.toUpperCase() }),
    ...(text !== undefined && { text }),
    ...(example && { example }),
    ...(buttons && { buttons: composeButtons(buttons, examples) }),
  };
}

function composeExample({ type, format }: PlatformTemplateComponent, examples: string[]): JsonObject | undefined {
  if (examples.length === 0) return undefined;
  if (type === 'body') return { body_text: [examples] };
  if (type !== 'header') return undefined;
  return format === 'text' ? { header_text: examples } : { header_handle: examples };
}

/** The contract's one list of examples holds a value for each button that takes one, in order. */
function composeButtons(buttons: Button[], examples: string[]): JsonObject[] {
  const values = [...examples];
  return buttons.map(({ type, ...button }) => {
    const value = takesValue(type, button.url) ? values.shift() : undefined;
    const example =
      value === undefined ? {} : { example: type === 'copy_code' ? value : [addressOf(button.url!, value)] };
    return { ...button, type: type.toUpperCase(), ...example };
  });
}

/** Whether each send fills in a value of this button. */
export function takesValue(type: string | undefined, url: string | undefined): boolean {
  return type?.toLowerCase() === 'copy_code' || (url !== undefined && variable.test(url));
}

const variable = /\{\{\s*\w+\s*\}\}/;

/** The platform's example of an address is the whole address. */
function addressOf(url: string, value: string): string {
  return /^https?:\/\//i.test(value) ? value : url.replace(variable, () => value);
}

/** The platform writes the text of a one-time code, and its button copies the code; other members are left out. */
function composeAuthentication(components: PlatformTemplateComponent[]): JsonObject[] {
  const buttons = components.find(({ type }) => type === 'buttons')?.buttons ?? [];
  const [button = { type: 'otp' }] = buttons;
  return [
    ...components.filter(isPlatformText).map(({ type, text, examples, buttons: none, ...others }) => ({
      ...others,
      type: type.toUpperCase(),
    })),
    { type: 'BUTTONS', buttons: [{ otp_type: 'COPY_CODE', ...button, type: 'OTP' }] },
  ];
}

function isPlatformText(component: PlatformTemplateComponent): boolean {
  return component.type === 'body' || (component.type === 'footer' && 'code_expiration_minutes' in component);
}
