import { Broadcast, extensionOperations, operations } from '@majlis/contract';
import { describeLimit } from '@majlis/contract/limits';
import { type MethodName, methodNames } from '@majlis/contract/method-names';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { act, withCommonOptions } from './act.ts';
import { isPaged, type MemberOption, type NamedOperation, toKebab } from './named-operation.ts';
import { type MemberSchema, placeholderOf, readMember } from './read-member.ts';

/** Adds one command for each operation of the resource. All they know comes from the contract. */
export function describeOperations(parent: Command, resource: string): void {
  for (const named of namedOperations()) {
    const [name, verb] = named.name.split('.').map(toKebab) as [string, string];
    if (name === resource) describeOperation(parent, verb, named);
  }
}

function namedOperations(): NamedOperation[] {
  const all: Readonly<Record<string, NamedOperation['operation']>> = { ...operations, ...extensionOperations };
  return Object.entries<MethodName>(methodNames).map(([id, name]) => ({ ...name, operation: all[id]! }));
}

function describeOperation(parent: Command, verb: string, named: NamedOperation): void {
  const command = parent.command(verb);
  const { operation, destructive } = named;
  const { params, body, body_content_type, reply } = operation;
  command.showHelpAfterError(`(majlis ${parent.name()} ${command.name()} --help lists the options)`);
  command.summary(operation.summary).description(describe(operation));
  for (const [name, schema] of Object.entries(params?.properties ?? {}))
    command.argument(`<${toKebab(name)}>`, (schema as MemberSchema).description);
  const isUpload = body_content_type !== undefined;
  if (isUpload) {
    command
      .argument('<file>', 'the file of this machine')
      .option('--filename <name>', 'the name that it gets (default: its own)')
      .option('--mime <type>', 'its type, such as image/png');
  }
  const members = isUpload ? [] : describeMembers(command, named);
  withCommonOptions(command);
  if (body && !isUpload) {
    command.option('-d, --data <json>', 'the body as JSON, or @FILE, or - for stdin; options go before its members');
  }
  if (operation.idempotent) {
    command.option('--idempotency-key <key>', 'repeat a command with the same key and body: it acts once');
  }
  if (isPaged(operation)) command.option('--all', 'read all pages; with --json, one entry a line');
  if (reply.content_type) {
    command.requiredOption('-o, --output <file>', 'where to write the file; - is stdout');
  }
  if (operation.reply.body === Broadcast) command.option('--wait', 'wait until all is sent, with a progress bar');
  if (destructive) command.option('--yes', 'do not ask first');
  command.action(act(async (call) => (await import('./run-operation.ts')).runOperation({ ...call, named, members })));
}

function describeMembers(command: Command, { operation }: NamedOperation): MemberOption[] {
  const schema = operation.body ?? operation.query;
  return Object.entries((schema?.properties ?? {}) as Record<string, MemberSchema>).map(([member, property]) => {
    const option = new Option(`--${toKebab(member)} ${placeholderOf(property)}`, property.description);
    if (property.enum) option.choices(property.enum);
    option.argParser((text: string, before: unknown) => {
      try {
        return readMember(property, text, before);
      } catch (error) {
        throw new InvalidArgumentError((error as Error).message);
      }
    });
    if (property.type === 'boolean') option.preset('true');
    command.addOption(option);
    return { member, option };
  });
}

function describe({ description, label, scope, limit, extension }: NamedOperation['operation']): string {
  const notes = [extension ? 'An extension of the contract' : label];
  if (scope) notes.push(`scope ${scope}`);
  if (limit) notes.push(`at most ${describeLimit(limit)}`);
  return `${description}\n\n${notes.join(', ')}.`;
}
