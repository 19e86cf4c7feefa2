import { Choice, Flag, IdsOrSlugs, OptionalText, QueryFlag, TagNames } from './fields';
import { PageQuery, type Period, PERIODS } from './page-queries';
import { MAX_LENGTHS } from '../vocabulary/limits';

const OWN_MEDIA_SORTS = ['latest', 'largest'] as const;
const OWN_MEDIA_TYPES = ['image', 'animation', 'video'] as const;
/** Largest number of media in `PATCH /me/media`. */
export const MAX_CHANGED_MEDIA = 100;

/** GET /me/media */
export class OwnMediaQuery extends PageQuery {
  @Choice(OWN_MEDIA_SORTS, { description: 'Default: `latest`. `largest`: the largest originals first.' })
  sort?: (typeof OWN_MEDIA_SORTS)[number];

  @Choice(OWN_MEDIA_TYPES, { description: 'Only media of this type. `image`: a still picture.' })
  type?: (typeof OWN_MEDIA_TYPES)[number];

  @Choice(PERIODS, { description: 'How far back in time media are listed. Default: `all`.' })
  period?: Period;

  @QueryFlag({ description: '`1`: only media that are in no post.' })
  without_post?: boolean;
}

/** PATCH /me/media: the same changes of several media. */
export class ChangeOwnMediaRequest {
  @IdsOrSlugs({
    required: true,
    minItems: 1,
    maxItems: MAX_CHANGED_MEDIA,
    description: 'Ids or slugs of media that belong to the caller.',
  })
  media!: readonly (number | string)[];

  @Flag({ description: '`true` deletes the media with their files. Other changes are ignored then.' })
  delete?: boolean;

  @Flag({ description: 'As in `PATCH /media/<slug>`.' })
  unlisted?: boolean;

  @TagNames({ description: 'Tags that are added to those of each media item.' })
  add_tags?: readonly string[];
}

/** PATCH /media/<slug>: omitted fields stay unchanged; null clears a field. */
export class UpdateMediaRequest {
  @OptionalText({ max: MAX_LENGTHS.title })
  title?: string | null;

  @OptionalText({ max: MAX_LENGTHS.description, multiline: true })
  description?: string | null;

  @OptionalText({
    max: MAX_LENGTHS.altText,
    description: 'Describes the picture for people who cannot see it.',
  })
  alt_text?: string | null;

  @TagNames({ nullable: true })
  tags?: readonly string[] | null;

  @Flag({
    description:
      'If true, the media item is kept out of feeds, tags, search and profiles until it is in a public post.',
  })
  unlisted?: boolean;

  @Flag({
    description:
      'Marks the media item as adult content: when it is approved, its status becomes `nsfw`. `false` removes the mark, and the last decision of automation or a moderator sets the status again.',
  })
  is_nsfw?: boolean;
}
