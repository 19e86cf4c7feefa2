import { VISIBILITIES, type Visibility } from '../posts/visibility';
import { Choice, Flag, Identifiers, Slugs, TagNames, Text } from './fields';

/** A post holds at most this many media. */
export const MAX_POST_MEDIA = 50;

/** POST /posts */
export class CreatePostRequest {
  @Identifiers({
    required: true,
    minItems: 1,
    maxItems: MAX_POST_MEDIA,
    description: 'Ids of media of one’s own.',
  })
  media_ids!: readonly number[];

  @Text({ nullable: true, max: 255 })
  title?: string | null;

  @Text({ nullable: true, max: 5000, multiline: true })
  description?: string | null;

  @Choice(VISIBILITIES, { description: '`public` where absent.' })
  visibility?: Visibility;

  @TagNames({ nullable: true })
  tags?: readonly string[] | null;

  @Flag({ description: 'Marks the post as adult content.' })
  is_nsfw?: boolean;
}

/** PATCH /posts/<post>: absent keeps, null clears. */
export class UpdatePostRequest {
  @Text({ nullable: true, max: 255 })
  title?: string | null;

  @Text({ nullable: true, max: 5000, multiline: true })
  description?: string | null;

  @Choice(VISIBILITIES, { description: '`private` makes an access key.' })
  visibility?: Visibility;

  @Flag({ description: 'Marks the post as adult content.' })
  is_nsfw?: boolean;

  @TagNames({ nullable: true })
  tags?: readonly string[] | null;

  @Slugs({ maxItems: MAX_POST_MEDIA, description: 'Every media of the post, in the order wanted.' })
  media_order?: readonly string[];
}

/** POST /posts/<post>/media */
export class AddPostMediaRequest {
  @Identifiers({
    required: true,
    minItems: 1,
    maxItems: MAX_POST_MEDIA,
    description: 'Ids of media of one’s own.',
  })
  media_ids!: readonly number[];
}
