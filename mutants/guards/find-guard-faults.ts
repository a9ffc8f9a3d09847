import { parseSync } from 'vite';

export type GuardFaultKind = 'dropped await' | 'lost condition' | 'turned comparison';

/** A change of a text: the characters from `start` to `end` are replaced. */
export interface GuardFault {
  kind: GuardFaultKind;
  start: number;
  end: number;
  replace: string;
  /** Whoever notices runs this place: that behind a condition, and otherwise the start. */
  place: number;
}

/** A node of the syntax tree (ESTree with the nodes of TypeScript). */
interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

const turned: Record<string, string> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '===': '!==', '!==': '===', '==': '!=', '!=': '==' },
};
/** Functions that only refuse, wait their turn or end what must not go on. */
const guardName = /^(?:refuse|require|throttle|admit|check|hold|lock|prove|end|delete|withdraw)(?![a-z])/;

/**
 * The faults of the guards of a program: an `await` that is dropped where its result is a statement or a condition; a condition
 * that never refuses, a part of one that is lost, and a call of a guard that is gone; a comparison that is turned.
 */
export function findGuardFaults(text: string): GuardFault[] {
  const { program, errors } = parseSync('guards.ts', text);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  const faults: GuardFault[] = [];
  const textOf = ({ start, end }: Node) => text.slice(start, end);

  function visit(node: Node, parent: Node | undefined, isCondition: boolean): void {
    if (node.type === 'AwaitExpression' && (parent?.type === 'ExpressionStatement' || isCondition)) {
      add('dropped await', node, textOf(node.argument as Node));
    }
    if (node.type === 'IfStatement' && exits(node.consequent as Node)) {
      const { start } = node.consequent as Node;
      faults.push({ ...faultOf('lost condition', node.test as Node, 'false'), place: start });
    }
    if (node.type === 'ExpressionStatement' && guardName.test(calleeOf(node.expression as Node))) {
      add('lost condition', node, ';');
    }
    if (node.type === 'LogicalExpression' && node.operator !== '??' && (isCondition || isAnswer(parent))) {
      for (const side of ['left', 'right']) add('lost condition', node, `(${textOf(node[side] as Node)})`);
    }
    if (node.type === 'BinaryExpression' && Object.hasOwn(turned, node.operator as string)) {
      const [left, right] = [node.left as Node, node.right as Node];
      const between = text
        .slice(left.end, right.start)
        .replace(node.operator as string, turned[node.operator as string]!);
      add('turned comparison', node, textOf(left) + between + textOf(right));
    }
    for (const [name, child] of childrenOf(node)) visit(child, node, isConditionOf(node, name, isCondition));
  }
  function add(...of: Parameters<typeof faultOf>): void {
    faults.push(faultOf(...of));
  }

  visit(program as unknown as Node, undefined, false);
  return faults;
}

function faultOf(kind: GuardFaultKind, { start, end }: Node, replace: string): GuardFault {
  return { kind, start, end, replace, place: start };
}

/** Whether the statement leaves the function. */
function exits({ type, body }: Node): boolean {
  if (type === 'BlockStatement') {
    const last = (body as Node[]).at(-1);
    return last !== undefined && exits(last);
  }
  return type === 'ThrowStatement' || type === 'ReturnStatement' || type === 'ContinueStatement';
}

/** The name of the function that an expression calls, awaited or not. Empty for another expression. */
function calleeOf({ type, argument, callee, property, name }: Node): string {
  if (type === 'AwaitExpression') return calleeOf(argument as Node);
  if (type === 'CallExpression') return calleeOf(callee as Node);
  if (type === 'MemberExpression') return calleeOf(property as Node);
  return type === 'Identifier' ? (name as string) : '';
}

/** Whether the node gives its value to whoever called. */
function isAnswer(node: Node | undefined): boolean {
  return node?.type === 'ReturnStatement' || node?.type === 'ArrowFunctionExpression';
}

const passOn = new Set(['LogicalExpression', 'UnaryExpression', 'ParenthesizedExpression']);

/** Whether a child decides what happens next. */
function isConditionOf({ type }: Node, name: string, isCondition: boolean): boolean {
  if (name === 'test') return true;
  return isCondition && passOn.has(type);
}

function* childrenOf(node: Node): Generator<[name: string, child: Node]> {
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') yield [name, child];
    }
  }
}
