import { VISIBILITIES, type Visibility } from '../vocabulary/moderation';
import { MAX_LENGTHS, MAX_POST_MEDIA } from '../vocabulary/limits';
import { Choice, Flag, IdsOrSlugs, QueryFlag, TagNames, OptionalText } from './fields';

/** POST /posts */
export class CreatePostRequest {
  @IdsOrSlugs({
    required: true,
    minItems: 1,
    maxItems: MAX_POST_MEDIA,
    description: 'Ids or slugs of media that belong to the caller.',
  })
  media_ids!: readonly (number | string)[];

  @OptionalText({ max: MAX_LENGTHS.title })
  title?: string | null;

  @OptionalText({ max: MAX_LENGTHS.description, multiline: true })
  description?: string | null;

  @Choice(VISIBILITIES, { description: 'Default: `public`.' })
  visibility?: Visibility;

  @TagNames({ nullable: true })
  tags?: readonly string[] | null;

  @Flag({ description: 'Marks the post as adult content.' })
  is_nsfw?: boolean;
}

/** PATCH /posts/<post>: omitted fields stay unchanged; null clears a field. */
export class UpdatePostRequest {
  @OptionalText({ max: MAX_LENGTHS.title })
  title?: string | null;

  @OptionalText({ max: MAX_LENGTHS.description, multiline: true })
  description?: string | null;

  @Choice(VISIBILITIES, { description: '`private` generates an access key.' })
  visibility?: Visibility;

  @Flag({ description: '`true` replaces the access key of a private post: earlier links stop working.' })
  new_access_key?: boolean;

  @Flag({ description: 'Marks the post as adult content.' })
  is_nsfw?: boolean;

  @TagNames({ nullable: true })
  tags?: readonly string[] | null;

  @IdsOrSlugs({
    maxItems: MAX_POST_MEDIA,
    description: 'Slugs or ids of all media of the post, in the desired order.',
  })
  media_order?: readonly (number | string)[];
}

/** POST /posts/<post>/media */
export class AddPostMediaRequest {
  @IdsOrSlugs({
    required: true,
    minItems: 1,
    maxItems: MAX_POST_MEDIA,
    description: 'Ids or slugs of media that belong to the caller.',
  })
  media_ids!: readonly (number | string)[];
}

/** DELETE /posts/<post> */
export class DeletePostQuery {
  @QueryFlag({
    description: '`1` also deletes the media of the post, except those that are in other posts too.',
  })
  media?: boolean;
}
