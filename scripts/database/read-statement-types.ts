import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isSpreadElement,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';

/** The kinds of JavaScript values that a type admits: `string`, `Date`, `number[]`, `null`, `any`. */
export type ValueKinds = ReadonlySet<string>;

export interface TypedStatement {
  /** `server/src/ai/queries.ts:14` */
  place: string;
  /** The members of the row type; undefined where the type is `unknown`, so that no row is read. */
  row: { name: string; kinds: ValueKinds; isOptional: boolean }[] | undefined;
  /** The values of each call; undefined where they are no array literal of known length. */
  calls: { place: string; values: ValueKinds[] | undefined }[];
}

/** What TypeScript knows of each call of `statement()` in the server. */
export function readStatementTypes(): TypedStatement[] {
  const api = new API({ cwd: process.cwd() });
  const [project] = api.updateSnapshot({ openProjects: [resolve('tsconfig.json')] }).getProjects();
  const files = globSync('server/src/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') });
  const withStatements = files.filter((file) => /[^.]\bstatement[<(]/.test(readFileSync(file, 'utf8')));
  const statements = withStatements
    .filter((file) => file !== 'server/src/database/query.ts')
    .flatMap((file) => readFile(project!.program.getSourceFile(resolve(file))!, project!.checker));
  api.close();
  return statements;
}

function readFile(source: SourceFile, checker: Checker): TypedStatement[] {
  const calls = callsIn(source);
  const placeOf = (node: Node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    return `${relative('.', source.fileName)}:${line + 1}`;
  };
  return calls
    .filter((call) => calleeOf(call) === 'statement')
    .map((call) => {
      const name =
        isVariableDeclaration(call.parent) && isIdentifier(call.parent.name) ? call.parent.name.text : undefined;
      const [row] = call.typeArguments ?? [];
      return {
        place: placeOf(call),
        row: row && membersOf(checker.getTypeFromTypeNode(row)!, checker),
        calls: calls
          .filter((one) => name !== undefined && calleeOf(one) === name)
          .map((one) => ({ place: placeOf(one), values: valuesOf(one, checker) })),
      };
    });
}

function callsIn(source: SourceFile): CallExpression[] {
  const found: CallExpression[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node)) found.push(node);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

const calleeOf = ({ expression }: CallExpression) => (isIdentifier(expression) ? expression.text : undefined);

function membersOf(row: Type, checker: Checker): NonNullable<TypedStatement['row']> {
  return checker.getPropertiesOfType(row).map((member) => ({
    name: member.name,
    kinds: new Set(kindsOf(checker.getTypeOfSymbol(member)!, checker)),
    isOptional: (member.flags & SymbolFlags.Optional) !== 0,
  }));
}

function valuesOf(call: CallExpression, checker: Checker): ValueKinds[] | undefined {
  const values = call.arguments[1];
  if (!values || !isArrayLiteralExpression(values) || values.elements.some(isSpreadElement)) return undefined;
  return values.elements.map((value) => new Set(kindsOf(checker.getTypeAtLocation(value)!, checker)));
}

function kindsOf(type: Type, checker: Checker): string[] {
  if (type.isUnionType()) return type.getTypes().flatMap((one) => kindsOf(one, checker));
  if (type.flags & TypeFlags.Null) return ['null'];
  if (type.flags & (TypeFlags.Undefined | TypeFlags.Void)) return [];
  if (type.flags & TypeFlags.StringLike) return ['string'];
  if (type.flags & TypeFlags.NumberLike) return ['number'];
  if (type.flags & TypeFlags.BooleanLike) return ['boolean'];
  if (checker.isArrayLikeType(type)) {
    const [element] = type.isTypeReference() ? checker.getTypeArguments(type) : [];
    const elements = element ? kindsOf(element, checker) : ['any'];
    return elements.filter((kind) => kind !== 'null').map((kind) => `${kind}[]`);
  }
  if (type.flags & TypeFlags.Object)
    return [['Date', 'Buffer'].find((name) => name === type.getSymbol()?.name) ?? 'object'];
  return ['any'];
}
