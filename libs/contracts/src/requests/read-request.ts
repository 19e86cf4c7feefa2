import 'reflect-metadata';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import { MAX_SPELLINGS, toFormFlag, toNfc } from './field-rules';

/** A valid request, or the error messages by field. */
export type ReadRequest<Request> =
  | { readonly request: Request; readonly errors?: undefined }
  | { readonly request?: undefined; readonly errors: Readonly<Record<string, readonly string[]>> };

/**
 * Reads a request class from an untrusted value. Only declared fields are read, and texts are converted to Unicode NFC. A
 * value that is not an object counts as one without fields.
 */
export function readRequest<Request extends object>(
  type: new () => Request,
  value: unknown,
): ReadRequest<Request> {
  const fields = declaredFields(type);
  const request = new type();
  let empty = true;
  if (typeof value === 'object' && value !== null) {
    for (const [name, sent] of Object.entries(value)) {
      if (!fields.has(name)) continue;
      Object.assign(request, {
        [name]: normalise(
          forms.has(value) ? fromForm(type, name, sent) : sent,
          Reflect.getMetadata(MAX_LENGTH, type.prototype, name),
        ),
      });
      empty = false;
    }
  }
  if (empty && mayBeEmpty(type)) return { request };
  const problems = validateSync(request);
  if (problems.length > 0) return { errors: sentences(problems) };
  for (const [name, sent] of Object.entries(request)) {
    const convert: FieldConversion | undefined = Reflect.getMetadata(CONVERSION, type.prototype, name);
    if (convert && sent !== undefined && sent !== null) Object.assign(request, { [name]: convert(sent) });
  }
  return { request };
}

const forms = new WeakSet<object>();

/** Marks fields as those of a form, in which a list of one item cannot be told from its item. */
export function formFields<Fields extends object>(fields: Fields): Fields {
  forms.add(fields);
  return fields;
}

const LIST = Symbol('vitrine:list');

/** Marks a field as a list. */
export const listField: PropertyDecorator = Reflect.metadata(LIST, true);

const NULLABLE = Symbol('vitrine:nullable');

/** Marks a field that may be null, which an empty text of a form stands for. */
export const nullableField: PropertyDecorator = Reflect.metadata(NULLABLE, true);

const FLAG = Symbol('vitrine:flag');

/** Marks a field that is true or false. */
export const flagField: PropertyDecorator = Reflect.metadata(FLAG, true);

/**
 * The value of a form's field. A form has neither null nor true and false: an empty text clears a list and stands for null
 * where null is allowed, and a flag is also what a checkbox and other languages write (`on`, `True`).
 */
function fromForm(type: new () => object, name: string, sent: unknown): unknown {
  const isMarked = (mark: symbol): boolean => Reflect.getMetadata(mark, type.prototype, name) === true;
  if (typeof sent !== 'string') return sent;
  if (isMarked(LIST)) return sent === '' ? [] : [sent];
  if (sent === '' && isMarked(NULLABLE)) return null;
  return isMarked(FLAG) ? (toFormFlag(sent) ?? sent) : sent;
}

/** Converts a valid value, for example decimal digits to their number. */
export type FieldConversion = (sent: unknown) => unknown;

const CONVERSION = Symbol('vitrine:conversion');

/** Converts a field after the whole request has been found valid. */
export const convertField = (convert: FieldConversion): PropertyDecorator =>
  Reflect.metadata(CONVERSION, convert);

const MAX_LENGTH = Symbol('vitrine:max-length');

/** Marks a field as text, or as a list of texts, of at most `max` characters each: it is brought into NFC. */
export const textField = (max: number): PropertyDecorator => Reflect.metadata(MAX_LENGTH, max);

/** Names of the fields that a class declares with a rule; empty if it isn't a request class. */
export const declaredFields = keptByType((type): ReadonlySet<string> => {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(rules.map((rule) => rule.propertyName));
});

/** Whether a request without any of its fields keeps every rule, as most queries do. */
const mayBeEmpty = keptByType((type) => validateSync(new type()).length === 0);

/** Computes a result once for each class and keeps it. */
function keptByType<Result>(find: (type: new () => object) => Result): (type: new () => object) => Result {
  const kept = new WeakMap<object, { readonly result: Result }>();
  return (type) => {
    const known = kept.get(type) ?? { result: find(type) };
    kept.set(type, known);
    return known.result;
  };
}

function normalise(value: unknown, max: number | undefined): unknown {
  if (max === undefined) return value;
  if (typeof value === 'string') return toNfc(value, max);
  if (!Array.isArray(value)) return value;
  const texts = new Set(value.filter((item) => typeof item === 'string'));
  // A list of this length always breaks its field's rule.
  if (texts.size > MAX_SPELLINGS) return value;
  const normal = new Map([...texts].map((text) => [text, toNfc(text, max)]));
  return value.map((item: unknown) => (typeof item === 'string' ? normal.get(item) : item));
}

/** A message that names one item of a list (`The selected scopes.0 is invalid.`) has the key of that item. */
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
