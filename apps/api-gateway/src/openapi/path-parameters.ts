import type { ParameterObject } from '@nestjs/swagger';
import { MAX_ID, REPORT_TYPES, SLUG_OR_ID_PATTERN, USERNAME_PATTERN } from '@vitrine/contracts';

const id = (description: string): Partial<ParameterObject> => ({
  description,
  schema: { type: 'integer', minimum: 1, maximum: MAX_ID },
  example: 1,
});

const text = (description: string, pattern: string, example: string): Partial<ParameterObject> => ({
  description,
  schema: { type: 'string', pattern },
  example,
});

/** The meaning of each path parameter, in the whole API. */
export const PATH_PARAMETERS: Readonly<Record<string, Partial<ParameterObject>>> = {
  collection: text(
    'Slug of the collection, or `saved` for your saved posts.',
    '^[A-Za-z0-9]{1,30}$',
    'saved',
  ),
  comment: id('Id of the comment.'),
  delivery: id('Id of the delivery.'),
  id: id('Numeric id of the item.'),
  name: {
    description: 'The `name` of a provider in `GET /site`.',
    example: 'example',
    schema: { type: 'string', maxLength: 30 },
  },
  notification: id('Id of the notification.'),
  post: text('Slug or id of the post.', SLUG_OR_ID_PATTERN, 'aB3dE5f'),
  slug: text(
    'Slug (seven letters or digits) or, where the route says so, numeric id.',
    SLUG_OR_ID_PATTERN,
    'aB3dE5f',
  ),
  tag: {
    description: 'Name of a tag, matched ignoring case.',
    example: 'sunset',
    schema: { type: 'string', maxLength: 255 },
  },
  target: text(
    'Slug of a media item, slug or id of a post, id of a comment, or a username.',
    '^[A-Za-z0-9_]{1,30}$',
    'aB3dE5f',
  ),
  type: {
    description: 'Type of the reported item.',
    schema: { type: 'string', enum: [...REPORT_TYPES] },
    example: 'media',
  },
  username: text('Username, matched ignoring case.', USERNAME_PATTERN.source, 'ada'),
};
