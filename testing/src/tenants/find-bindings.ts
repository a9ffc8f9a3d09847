import { parse } from 'libpg-query';

/** The columns of each table, in their order, and the column of it that names the workspace. */
export interface TenantTables {
  columns: ReadonlyMap<string, readonly string[]>;
  workspaceColumn: ReadonlyMap<string, string>;
}

export interface Bindings {
  /** Tenant tables that the value which binds the most of them does not reach: `contacts c`. */
  unbound: string[];
  /** That value is none that the caller gave. */
  isSweep: boolean;
  /** Tables and queries of one `from` that are not joined on their workspaces: `new n, agents a`. */
  unjoined: string[];
  /** `on conflict` with columns that do not name the workspace. */
  looseConflicts: string[];
}

/**
 * Finds for a statement which of its tables are bound to one workspace. A value is a node; an equality that limits the rows
 * of a table leads from one node to the other. An equality of an outer join limits the rows of its optional side alone, one
 * of a subquery those of the subquery, one beside a common table expression not those within.
 */
export async function findBindings(text: string, tables: TenantTables): Promise<Bindings> {
  const { stmts } = await parse(text);
  const reader = new StatementReader(tables);
  for (const { stmt } of stmts ?? []) reader.readQuery(stmt!, new Scope());
  return reader.judge();
}

class Value {
  readonly scope: Scope | undefined;
  /** The rows with this value are those with the other one. */
  readonly leadsTo = new Set<Value>();
  readonly equals = new Set<Value>();
  constructor(scope?: Scope) {
    this.scope = scope;
  }
}

type Columns = Map<string, Value>;

class Scope {
  readonly parent: Scope | undefined;
  readonly relations = new Map<string, Columns>();
  readonly expressions = new Map<string, Columns>();
  constructor(parent?: Scope) {
    this.parent = parent;
  }

  /** A subquery cannot limit the rows of the query around it. */
  limits({ scope }: Value): boolean {
    for (let outer = this.parent; outer; outer = outer.parent) if (outer === scope) return false;
    return scope !== undefined;
  }

  find([first, second]: string[]): Value | undefined {
    const found = second
      ? this.relations.get(first!)?.get(second)
      : [...this.relations.values()].map((columns) => columns.get(first!)).find((value) => value);
    return found ?? this.parent?.find(second ? [first!, second] : [first!]);
  }

  expression(name: string): Columns | undefined {
    return this.expressions.get(name) ?? this.parent?.expression(name);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree is a union of some 250 shapes; each reader takes what it knows.
type Tree = any;

class StatementReader {
  readonly #tables: TenantTables;
  readonly #parameters = new Map<number, Value>();
  readonly #given = new Set<Value>();
  readonly #tenants: { name: string; value: Value }[] = [];
  readonly #unions: { column: Value; of: Value[] }[] = [];
  readonly #joins: Map<string, Value>[] = [];
  readonly #looseConflicts: string[] = [];

  constructor(tables: TenantTables) {
    this.#tables = tables;
  }

  judge(): Bindings {
    const reached = [...this.#given, ...this.#tenants.map(({ value }) => value)].map((source) => ({
      isSweep: !this.#given.has(source),
      unbound: this.#unreachedFrom(source),
    }));
    const best = reached.sort(
      (a, b) => a.unbound.length - b.unbound.length || Number(a.isSweep) - Number(b.isSweep),
    )[0];
    const unjoined = this.#joins.flatMap((joined) =>
      this.#areEqual([...joined.values()]) ? [] : [[...joined.keys()].join()],
    );
    return { isSweep: false, unbound: [], ...best, unjoined, looseConflicts: this.#looseConflicts };
  }

  #unreachedFrom(source: Value): string[] {
    const reached = this.#follow(source, ({ leadsTo }) => leadsTo);
    return this.#tenants.filter(({ value }) => !reached.has(value)).map(({ name }) => name);
  }

  #areEqual([first, ...others]: Value[]): boolean {
    if (!first) return true;
    const equal = this.#follow(first, ({ equals }) => equals);
    return others.every((other) => equal.has(other));
  }

  #follow(source: Value, next: (value: Value) => ReadonlySet<Value>): ReadonlySet<Value> {
    const found = new Set([source]);
    for (let before = 0; before < found.size; ) {
      before = found.size;
      for (const value of found) for (const one of next(value)) found.add(one);
      for (const { column, of } of this.#unions) if (of.every((value) => found.has(value))) found.add(column);
    }
    return found;
  }

  /** Reads a query with all its parts, and gives its columns. */
  readQuery(query: Tree, outer: Scope): Columns {
    const [[kind, body]] = Object.entries<Tree>(query) as [[string, Tree]];
    // A lock of a table reads no row.
    if (kind === 'LockStmt') return new Map();
    const scope = new Scope(outer);
    for (const { CommonTableExpr: one } of body.withClause?.ctes ?? []) this.#readExpression(one, scope);
    const columns = kind === 'SelectStmt' ? this.#readSelect(body, scope) : this.#readChange(kind, body, scope);
    const workspaces = [...scope.relations].flatMap(([name, relation]) => {
      const value = relation.get('workspace_id');
      return value ? [[name, value] as const] : [];
    });
    this.#joins.push(new Map(workspaces));
    return columns;
  }

  /** What a query does with a common table expression limits neither the rows that it read nor those that it changed. */
  #readExpression({ ctename, ctequery, aliascolnames }: Tree, scope: Scope): void {
    scope.expressions.set(ctename, renamed(this.readQuery(ctequery, scope), aliascolnames));
  }

  #readSelect(body: Tree, scope: Scope): Columns {
    if (body.larg) return this.#readUnion(body, scope);
    if (body.valuesLists) return this.#readValues(body.valuesLists, scope);
    for (const item of body.fromClause ?? []) this.#readFrom(item, scope);
    this.#readCondition(body.whereClause, scope);
    this.#readSubqueries({ ...body, fromClause: [], whereClause: undefined, withClause: undefined }, scope);
    return this.#readTargets(body.targetList, scope);
  }

  #readUnion({ larg, rarg, ...rest }: Tree, scope: Scope): Columns {
    const [left, right] = [larg, rarg].map((side) => this.readQuery({ SelectStmt: side }, scope));
    this.#readSubqueries({ ...rest, withClause: undefined }, scope);
    const others = [...right!.values()];
    return mapColumns(left!, (value, n) => this.#join([value, others[n]!], scope));
  }

  #readValues(lists: Tree[], scope: Scope): Columns {
    const rows = lists.map(({ List }) => List.items.map((item: Tree) => this.#valueOf(item, scope)) as Value[]);
    this.#readSubqueries(lists, scope);
    return new Map(
      rows[0]!.map((_, n) => [
        `column${n + 1}`,
        this.#join(
          rows.map((row) => row[n]!),
          scope,
        ),
      ]),
    );
  }

  /** A column of several queries: bound where it is in all of them; a condition on it holds for each. */
  #join(of: Value[], scope: Scope): Value {
    const column = new Value(scope);
    for (const value of of) column.leadsTo.add(value);
    this.#unions.push({ column, of });
    return column;
  }

  #readChange(kind: string, body: Tree, scope: Scope): Columns {
    const target = this.#readTable(body.relation, scope);
    if (kind === 'InsertStmt') this.#readInsert(body, target, scope);
    for (const item of [...(body.fromClause ?? []), ...(body.usingClause ?? [])]) this.#readFrom(item, scope);
    this.#readCondition(body.whereClause, scope);
    this.#readSubqueries({ ...body, selectStmt: null, whereClause: null, withClause: null, fromClause: [] }, scope);
    return this.#readTargets(body.returningClause?.exprs ?? body.returningList, scope);
  }

  #readInsert({ relation, cols, selectStmt, onConflictClause }: Tree, target: Columns, scope: Scope): void {
    const names: string[] = cols ? cols.map(({ ResTarget }: Tree) => ResTarget.name) : [...target.keys()];
    // The query of an insert does not see its table.
    const source = selectStmt ? [...this.readQuery(selectStmt, withoutRelations(scope)).values()] : [];
    for (const [n, name] of names.entries()) source[n]?.leadsTo.add(target.get(name)!);
    scope.relations.set('excluded', target);
    const workspace = this.#tables.workspaceColumn.get(relation.relname);
    const keys = onConflictClause?.infer?.indexElems?.map(({ IndexElem }: Tree) => IndexElem.name);
    if (workspace && keys && !keys.includes(workspace)) this.#looseConflicts.push(`${relation.relname} (${keys})`);
  }

  #readFrom(item: Tree, scope: Scope): Set<Value> {
    const [[kind, body]] = Object.entries<Tree>(item) as [[string, Tree]];
    if (kind === 'JoinExpr') return this.#readJoin(body, scope);
    const columns = kind === 'RangeVar' ? this.#readTable(body, scope) : this.#readDerived(kind, body, scope);
    return new Set(columns.values());
  }

  #readJoin({ jointype, larg, rarg, quals, usingClause }: Tree, scope: Scope): Set<Value> {
    const before = new Map(scope.relations);
    const left = this.#readFrom(larg, scope);
    const leftRelations = [...scope.relations].filter(([name]) => !before.has(name)).map(([, columns]) => columns);
    const right = this.#readFrom(rarg, scope);
    const rightRelations = [...scope.relations.values()].filter((columns) => isOf(columns, right));
    const isLimited = (value: Value) =>
      scope.limits(value) &&
      (jointype === 'JOIN_INNER' ||
        (jointype === 'JOIN_LEFT' && !left.has(value)) ||
        (jointype === 'JOIN_RIGHT' && !right.has(value)));
    for (const { String: name } of usingClause ?? []) {
      const [a, b] = [leftRelations, rightRelations].map((all) =>
        all.map((one) => one.get(name.sval)).find((one) => one),
      );
      if (a && b) equate(a, b, isLimited);
    }
    this.#readCondition(quals, scope, isLimited);
    return new Set([...left, ...right]);
  }

  #readTable({ relname, alias }: Tree, scope: Scope): Columns {
    const expression = scope.expression(relname);
    const names = expression ? [...expression.keys()] : (this.#tables.columns.get(relname) ?? []);
    const columns: Columns = new Map(names.map((name) => [name, new Value(scope)]));
    for (const [name, value] of expression ?? []) value.leadsTo.add(columns.get(name)!);
    const workspace = expression ? undefined : this.#tables.workspaceColumn.get(relname);
    const name = [relname, alias?.aliasname].filter(Boolean).join(' ');
    if (workspace) this.#tenants.push({ name, value: columns.get(workspace)! });
    scope.relations.set(alias?.aliasname ?? relname, columns);
    return columns;
  }

  #readDerived(kind: string, body: Tree, scope: Scope): Columns {
    const found = kind === 'RangeSubselect' ? this.readQuery(body.subquery, scope) : this.#readFunction(body, scope);
    const columns = renamed(found, body.alias?.colnames);
    scope.relations.set(body.alias?.aliasname ?? `${kind} ${scope.relations.size}`, columns);
    return columns;
  }

  /** Rows that the caller gave: `unnest($1) as n (workspace_id)`, `json_to_recordset($1) as n (workspace_id uuid)`. */
  #readFunction(body: Tree, scope: Scope): Columns {
    this.#readSubqueries(body, scope);
    const call = body.functions?.[0]?.List?.items?.[0]?.FuncCall;
    const row = call?.args?.[0]?.TypeCast?.typeName?.names?.at(-1)?.String?.sval;
    const names: string[] =
      body.coldeflist?.map(({ ColumnDef }: Tree) => ColumnDef.colname) ??
      this.#tables.columns.get(row) ??
      (body.alias?.colnames ?? [{ String: { sval: body.alias?.aliasname ?? 'value' } }]).map(
        ({ String: one }: Tree) => one.sval,
      );
    const columns = new Map(names.map((name) => [name, new Value(scope)]));
    for (const value of columns.values()) this.#given.add(value);
    return columns;
  }

  #readTargets(targets: Tree[] | undefined, scope: Scope): Columns {
    const columns: Columns = new Map();
    for (const [n, { ResTarget }] of (targets ?? []).entries()) {
      const fields: Tree[] = ResTarget.val?.ColumnRef?.fields ?? [];
      if (fields.at(-1)?.A_Star) {
        const table = fields.length > 1 ? [scope.relations.get(fields[0].String.sval)] : scope.relations.values();
        for (const one of table) for (const [name, value] of one ?? []) columns.set(name, value);
      } else {
        const name = ResTarget.name ?? fields.at(-1)?.String?.sval ?? `column ${n}`;
        columns.set(name, this.#valueOf(ResTarget.val, scope));
      }
    }
    return columns;
  }

  /** Equalities that every row meets. */
  #readCondition(condition: Tree, scope: Scope, isLimited = (value: Value) => scope.limits(value)): void {
    if (!condition) return;
    const { BoolExpr: all, A_Expr: comparison, SubLink: subquery } = condition;
    if (all?.boolop === 'AND_EXPR') {
      for (const one of all.args) this.#readCondition(one, scope, isLimited);
    } else if (comparison && comparison.kind === 'AEXPR_OP' && comparison.name[0].String.sval === '=') {
      const [left, right] = [comparison.lexpr, comparison.rexpr].map((side) => side.RowExpr?.args ?? [side]);
      for (const [n, one] of left.entries()) {
        if (right[n]) equate(this.#valueOf(one, scope), this.#valueOf(right[n], scope), isLimited);
      }
      this.#readSubqueries(condition, scope);
    } else if (subquery?.subLinkType === 'ANY_SUBLINK' && !subquery.operName) {
      const members = subquery.testexpr.RowExpr?.args ?? [subquery.testexpr];
      const columns = [...this.readQuery(subquery.subselect, scope).values()];
      for (const [n, one] of members.entries()) columns[n] && equate(this.#valueOf(one, scope), columns[n], isLimited);
    } else {
      this.#readSubqueries(condition, scope);
    }
  }

  #readSubqueries(tree: Tree, scope: Scope): void {
    if (tree === null || typeof tree !== 'object') return;
    if (tree.SubLink) {
      this.readQuery(tree.SubLink.subselect, scope);
      this.#readSubqueries(tree.SubLink.testexpr, scope);
    } else for (const part of Object.values(tree)) this.#readSubqueries(part, scope);
  }

  #valueOf(expression: Tree, scope: Scope): Value {
    if (expression?.TypeCast) return this.#valueOf(expression.TypeCast.arg, scope);
    const names: string[] | undefined = expression?.ColumnRef?.fields.map(({ String: name }: Tree) => name?.sval);
    if (names) return scope.find(names) ?? new Value(scope);
    if (!expression?.ParamRef) return new Value(scope);
    const { number } = expression.ParamRef;
    if (!this.#parameters.has(number)) this.#parameters.set(number, new Value());
    this.#given.add(this.#parameters.get(number)!);
    return this.#parameters.get(number)!;
  }
}

function equate(a: Value, b: Value, isLimited: (value: Value) => boolean): void {
  if (isLimited(b)) a.leadsTo.add(b);
  if (isLimited(a)) b.leadsTo.add(a);
  a.equals.add(b);
  b.equals.add(a);
}

function renamed(columns: Columns, names: Tree[] | undefined): Columns {
  return new Map([...columns].map(([name, value], n) => [names?.[n]?.String.sval ?? name, value]));
}

function mapColumns(columns: Columns, change: (value: Value, n: number) => Value): Columns {
  return new Map([...columns].map(([name, value], n) => [name, change(value, n)]));
}

function isOf(columns: Columns, values: ReadonlySet<Value>): boolean {
  return [...columns.values()].some((value) => values.has(value));
}

function withoutRelations(scope: Scope): Scope {
  const others = new Scope(scope.parent);
  for (const [name, columns] of scope.expressions) others.expressions.set(name, columns);
  return others;
}
