import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { type FieldErrors, InvalidFieldsError, NotFoundError } from '@vitrine/domain';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';

/**
 * Makes the request class that a handler declares for its `@Body()` or `@Query()`: takes the declared fields and
 * no other, brings texts into Unicode's NFC, and refuses what breaks a field's rule with `InvalidFieldsError`.
 * A body that isn't an object is one without fields.
 */
@Injectable()
export class RequestPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    const fields = declaredFields(metatype);
    if (fields.size === 0) return value;
    const request: object = new (metatype as Type<object>)();
    if (typeof value === 'object' && value !== null) {
      for (const [name, sent] of Object.entries(value)) {
        if (fields.has(name)) Object.assign(request, { [name]: inNfc(sent) });
      }
    }
    const problems = validateSync(request);
    if (problems.length > 0) throw new InvalidFieldsError(sentences(problems));
    return request;
  }
}

/** A numeric id in a path. What can't be one names nothing: `NotFoundError`. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    if (!/^[1-9]\d{0,14}$/.test(value)) throw new NotFoundError();
    return Number(value);
  }
}

function declaredFields(metatype: Type<unknown>): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
  return new Set(rules.map((rule) => rule.propertyName));
}

function inNfc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inNfc);
  return typeof value === 'string' ? value.normalize('NFC') : value;
}

/** A sentence that names one item of a list stands under that item: `scopes.0`. */
function sentences(problems: readonly ValidationError[]): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const { property, constraints = {} } of problems) {
    for (const sentence of Object.values(constraints)) {
      const [item] = sentence
        .split(' ')
        .filter((word) => word.startsWith(`${property}.`) && /\.\d+$/.test(word));
      (errors[item ?? property] ??= []).push(sentence);
    }
  }
  return errors;
}
