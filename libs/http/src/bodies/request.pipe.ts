import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { readNumericId } from '@vitrine/contracts';
import { declaredFields, readRequest } from '@vitrine/contracts/api';
import { InvalidFieldsError, NotFoundError } from '@vitrine/domain';

/**
 * Creates the request class that a handler declares for its `@Body()` or `@Query()`. Throws `InvalidFieldsError` if a field
 * breaks a rule. Nest's `ValidationPipe` converts before it checks (`"abc"` becomes `NaN`), and can't limit the length of a
 * text before the text is normalised.
 */
@Injectable()
export class RequestPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !isRequestClass(metatype)) return value;
    if (Array.isArray(value)) throw new InvalidFieldsError({ body: ['The body must be an object.'] });
    const { request, errors } = readRequest(metatype, value);
    if (errors) throw new InvalidFieldsError(errors);
    return request;
  }
}

const isRequestClass = (metatype: Type<unknown> | undefined): metatype is Type<object> =>
  metatype !== undefined && declaredFields(metatype as Type<object>).size > 0;

/** A numeric id in a path. Throws `NotFoundError` for anything else. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    const id = readNumericId(value);
    if (id === null) throw new NotFoundError();
    return id;
  }
}
