import { MAX_LENGTHS } from '../vocabulary/limits';
import { COLLECTION_VISIBILITIES, type CollectionVisibility } from '../vocabulary/moderation';
import { Choice, QueryFlag, Text } from './fields';
import { PageQuery } from './page-queries';

/** GET /me/collections */
export class CollectionListQuery {
  @Text({ max: 30, description: 'Slug or id of a post: `contains` then says which collections hold it.' })
  post?: string;
}

/** GET /collections/<slug>/posts */
export class CollectionPostsQuery extends PageQuery {
  @QueryFlag({ description: '`1` includes nsfw content.' })
  nsfw?: boolean;
}

const MEANING = '`private`: only you see it. `hidden`: everyone who knows its slug does.';

/** POST /me/collections */
export class CreateCollectionRequest {
  @Text({ required: true, max: MAX_LENGTHS.name, description: 'Its name.' })
  name!: string;

  @Choice(COLLECTION_VISIBILITIES, { description: `Default: \`private\`. ${MEANING}` })
  visibility?: CollectionVisibility;
}

/** PATCH /collections/<slug>: omitted fields stay unchanged. */
export class UpdateCollectionRequest {
  @Text({ max: MAX_LENGTHS.name, description: 'Its new name.' })
  name?: string;

  @Choice(COLLECTION_VISIBILITIES, { description: MEANING })
  visibility?: CollectionVisibility;
}
