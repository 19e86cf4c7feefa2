import type { ParameterObject } from '@nestjs/swagger';
import { REPORT_TYPES } from '@vitrine/contracts';

const id = (description: string): Partial<ParameterObject> => ({
  description,
  schema: { type: 'integer', minimum: 1 },
  example: 1,
});

const text = (description: string, example: string): Partial<ParameterObject> => ({
  description,
  schema: { type: 'string' },
  example,
});

/** What the names in paths mean, throughout the API. */
export const PATH_PARAMETERS: Readonly<Record<string, Partial<ParameterObject>>> = {
  comment: id('Id of the comment.'),
  id: id('Id of the thing.'),
  post: text('Slug or id of the post.', 'aB3dE5f'),
  slug: text('Slug: seven letters and digits.', 'aB3dE5f'),
  target: text('Slug of a media, slug or id of a post, id of a comment, username.', 'aB3dE5f'),
  type: {
    description: 'What kind of thing it is.',
    schema: { type: 'string', enum: [...REPORT_TYPES] },
    example: 'media',
  },
  username: text('Name of the account, ignoring case.', 'ada'),
};
