import { objectKeys } from '@vitrine/contracts';
import type { MediaEntity } from './media.entity';

/** The key of the object that holds the original of a media item, which may be shared with other media. */
export const originalKeyOf = ({
  slug,
  ext,
  sharedKey,
}: Readonly<Pick<MediaEntity, 'slug' | 'ext' | 'sharedKey'>>): string =>
  sharedKey ?? objectKeys.original(slug, ext);
