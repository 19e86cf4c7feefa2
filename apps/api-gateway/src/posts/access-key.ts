import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { ACCESS_KEY_PATTERN, SLUG_OR_ID_PATTERN } from '@vitrine/contracts';
import type { Request } from 'express';

/** The access key in `?key=` of a request; null without one. An invalid value is not an error. */
export const AccessKey = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const { key } = context.switchToHttp().getRequest<Request>().query;
  return typeof key === 'string' ? key : null;
});

/** The post of a comment in `?post=` of a request; null without one. An invalid value is not an error. */
export const PostOfComment = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const { post } = context.switchToHttp().getRequest<Request>().query;
  return typeof post === 'string' && post !== '' ? post : null;
});

/** Documents that a route takes `?post=`. */
export const TakesPostOfComment = (): MethodDecorator =>
  applyDecorators(
    ApiQuery({
      name: 'post',
      required: false,
      schema: { type: 'string', pattern: SLUG_OR_ID_PATTERN },
      description:
        'Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it.',
    }),
  );

/** Documents that a route takes `?key=`. */
export const TakesAccessKey = (): MethodDecorator =>
  applyDecorators(
    ApiQuery({
      name: 'key',
      required: false,
      schema: { type: 'string', pattern: ACCESS_KEY_PATTERN },
      description: 'Access key of a private post.',
    }),
  );
