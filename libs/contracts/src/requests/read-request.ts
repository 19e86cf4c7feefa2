import 'reflect-metadata';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';

/** A request that keeps every rule of its class, or what is wrong with it: sentences by field. */
export type ReadRequest<Request> =
  | { readonly request: Request; readonly errors?: undefined }
  | { readonly request?: undefined; readonly errors: Readonly<Record<string, readonly string[]>> };

/**
 * Reads a request class off a value from outside: takes the declared fields and no other, and brings texts into
 * Unicode's NFC. Whatever isn't an object has no fields.
 */
export function readRequest<Request extends object>(
  type: new () => Request,
  value: unknown,
): ReadRequest<Request> {
  const fields = declaredFields(type);
  const request = new type();
  if (typeof value === 'object' && value !== null) {
    for (const [name, sent] of Object.entries(value)) {
      if (fields.has(name)) Object.assign(request, { [name]: inNfc(sent) });
    }
  }
  const problems = validateSync(request);
  if (problems.length > 0) return { errors: sentences(problems) };
  for (const [name, sent] of Object.entries(request)) {
    const convert: FieldConversion | undefined = Reflect.getMetadata(CONVERSION, type.prototype, name);
    if (convert && sent !== undefined && sent !== null) Object.assign(request, { [name]: convert(sent) });
  }
  return { request };
}

/** What a value that keeps its field's rule stands for, e.g. the number that some digits mean. */
export type FieldConversion = (sent: unknown) => unknown;

const CONVERSION = Symbol('vitrine:conversion');

/** Converts a field once all of the request's rules are kept. */
export const convertField = (convert: FieldConversion): PropertyDecorator =>
  Reflect.metadata(CONVERSION, convert);

/** Names of the fields that a class declares with a rule; empty where it isn't a request class. */
export function declaredFields(type: new () => object): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(rules.map((rule) => rule.propertyName));
}

function inNfc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inNfc);
  return typeof value === 'string' ? value.normalize('NFC') : value;
}

/** A sentence that names one item of a list (`The selected scopes.0 is invalid.`) stands under that item. */
function sentences(problems: readonly ValidationError[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { property, constraints = {} } of problems) {
    for (const sentence of Object.values(constraints)) {
      const item = sentence.split(' ').find((word) => /\.\d+$/.test(word) && word.startsWith(`${property}.`));
      (errors[item ?? property] ??= []).push(sentence);
    }
  }
  return errors;
}
