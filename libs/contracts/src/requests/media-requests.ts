import { Flag, TagNames, OptionalText } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

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
