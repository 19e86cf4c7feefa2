import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { declaredFields, readRequest } from '@vitrine/contracts';
import { InvalidFieldsError, NotFoundError } from '@vitrine/domain';

/**
 * Makes the request class that a handler declares for its `@Body()` or `@Query()`. What breaks a field's rule is
 * refused with `InvalidFieldsError`.
 */
@Injectable()
export class RequestPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !isRequestClass(metatype)) return value;
    const { request, errors } = readRequest(metatype, value);
    if (errors) throw new InvalidFieldsError(errors);
    return request;
  }
}

const isRequestClass = (metatype: Type<unknown> | undefined): metatype is Type<object> =>
  metatype !== undefined && declaredFields(metatype as Type<object>).size > 0;

/** A numeric id in a path. What can't be one names nothing: `NotFoundError`. */
@Injectable()
export class IdPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    if (!/^[1-9]\d{0,14}$/.test(value)) throw new NotFoundError();
    return Number(value);
  }
}
