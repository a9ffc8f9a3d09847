import { type ErrorDetail, isCheckedAlone, textBoundOf } from '@majlis/contract';
import type { FastifySchemaCompiler } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { invalid, Refusal } from '../reply/refusal.ts';
import { verdictOn } from './checked-bodies.ts';

/** The most characters of each kind of text, entries of a list, and members of an object. */
export interface Bounds {
  short: number;
  long: number;
  document: number;
  list: number;
  object: number;
}

/** The parts of JSON Schema that the walk follows. */
type Schema = TSchema & { properties?: Record<string, TSchema>; items?: TSchema; maxItems?: number };

/**
 * The step before validation: one pass over a value refuses texts and lists beyond the bounds before other code looks at them
 * (hazard H109). A path with such an id names nothing.
 */
export function boundBefore(compile: FastifySchemaCompiler<TObject>, bounds: Bounds): FastifySchemaCompiler<TObject> {
  return (route) => {
    const validate = compile(route);
    return (value) => {
      // A large body was checked in the thread.
      const fault = verdictOn(value) ? undefined : findBoundFault(route.schema, value, bounds);
      if (!fault) return validate(value);
      return { error: route.httpPart === 'params' ? new Refusal('not_found') : invalid(fault) };
    };
  };
}

/**
 * The first text, list or object of the value that exceeds its bound. Without a schema, as inside objects of any members and for
 * members that the contract does not name, texts may be long.
 */
export function findBoundFault(schema: Schema | undefined, value: unknown, bounds: Bounds): ErrorDetail | undefined {
  if (typeof value === 'string') {
    const most = schema ? bounds[textBoundOf(schema)] : bounds.long;
    return value.length > most ? { detail: `must not have more than ${most} characters`, pointer: '' } : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? inList(schema, value, bounds) : inObject(schema, value, bounds);
}

function inList(schema: Schema | undefined, list: unknown[], bounds: Bounds): ErrorDetail | undefined {
  const most = schema?.maxItems ?? bounds.list;
  if (list.length > most) return { detail: `must not have more than ${most} items`, pointer: '' };
  const items = schema?.items;
  if (items && isCheckedAlone(items)) return undefined;
  for (let index = 0; index < list.length; index++) {
    const fault = findBoundFault(items, list[index], bounds);
    if (fault) return at(index, fault);
  }
  return undefined;
}

function inObject(schema: Schema | undefined, object: object, bounds: Bounds): ErrorDetail | undefined {
  let members = 0;
  for (const name in object) {
    if (++members > bounds.object) return { detail: `must not have more than ${bounds.object} members`, pointer: '' };
    if (name.length > bounds.short) {
      return { detail: `must not have a member with a name of more than ${bounds.short} characters`, pointer: '' };
    }
    const known = schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const fault = findBoundFault(known, object[name as keyof typeof object], bounds);
    if (fault) return at(name, fault);
  }
  return undefined;
}

function at(place: string | number, { detail, pointer }: ErrorDetail): ErrorDetail {
  return { detail, pointer: `/${String(place).replaceAll('~', '~0').replaceAll('/', '~1')}${pointer}` };
}
