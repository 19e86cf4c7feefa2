import { ApiProperty } from '@nestjs/swagger';
import { SLUG_PATTERN } from '../vocabulary/identifiers';
import { COLLECTION_VISIBILITIES, type CollectionVisibility } from '../vocabulary/moderation';
import { AuthorResource } from './media-resource';
import { NullableText } from './nullable';

/** A list of posts that an account has saved. */
export class CollectionResource {
  @ApiProperty({ example: 'aB3dE5f', pattern: SLUG_PATTERN })
  slug!: string;

  @NullableText('Null for the collection of saved posts that every account has.')
  name!: string | null;

  @ApiProperty({ enum: COLLECTION_VISIBILITIES })
  visibility!: CollectionVisibility;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Number of its posts, including those that can’t be seen at present; null in the list that names a post.',
  })
  post_count!: number | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'uri' })
  page_url!: string;

  @ApiProperty({ type: AuthorResource, description: 'Its owner.' })
  user!: AuthorResource;

  @ApiProperty({
    required: false,
    description: 'Whether it holds the post that the request has named; absent if it has named none.',
  })
  contains?: boolean;
}

/** The answer to a new or changed collection. */
export class CollectionAnswer {
  @ApiProperty({ type: CollectionResource })
  data!: CollectionResource;
}
