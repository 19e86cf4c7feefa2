import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { Request } from 'express';

/** The access key that came with a request as `?key=`; null where none did. Whatever it is, it's never an error. */
export const AccessKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const { key } = context.switchToHttp().getRequest<Request>().query;
  return typeof key === 'string' ? key : null;
});

/** Says that a route takes `?key=`. */
export const TakesAccessKey = (): MethodDecorator =>
  applyDecorators(
    ApiQuery({
      name: 'key',
      required: false,
      schema: { type: 'string' },
      description: 'Access key of a private post.',
    }),
  );
