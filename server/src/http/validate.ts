import type { FastifySchemaCompiler } from 'fastify';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { verdictOn } from './body/checked-bodies.ts';
import { Refusal } from './reply/refusal.ts';

/**
 * Makes a schema of the contract a check, which is compiled at the first value: see `serializeLazily`. Query values arrive as
 * text; numbers among them are read first.
 */
export const compileValidator: FastifySchemaCompiler<TObject> = ({ schema, httpPart }) => {
  let compiled: ReturnType<typeof Compile<TObject>> | undefined;
  const check = (value: unknown) => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? { value } : { error: compiled.Errors(value) };
  };
  return (value) => {
    // An id with NUL names nothing.
    if (httpPart === 'params' && nulMember(value)) return { error: new Refusal('not_found') };
    if (httpPart !== 'querystring') {
      const verdict = verdictOn(value);
      if (!verdict) return check(value);
      return verdict.errors.length > 0 ? { error: verdict.errors } : { value };
    }
    const pointer = nulMember(value);
    return pointer ? { error: [nulError(pointer)] } : check(readNumbers(schema, value));
  };
};

/** PostgreSQL's text cannot hold NUL (hazard H78); bodies were checked when they were read. */
function nulMember(query: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(query)) {
    if (String(value).includes('\0')) return `/${name}`;
  }
  return undefined;
}

function nulError(instancePath: string) {
  return { keyword: 'nul', instancePath, schemaPath: '', params: {}, message: 'must not contain the character NUL' };
}

/** Whole numbers, in digits. What reads otherwise (`5.5`, `true`, `0x10`, a value given twice) stays what it is, no number. */
function readNumbers({ properties }: TObject, query: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(query).map(([name, value]) => {
    const { type } = (properties[name] ?? {}) as { type?: string };
    return [name, type === 'integer' && /^-?\d+$/.test(value as string) ? Number(value) : value];
  });
  return Object.fromEntries(entries);
}
