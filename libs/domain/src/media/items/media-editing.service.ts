import { Injectable } from '@nestjs/common';
import { MAX_TAGS } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import type { Viewer } from '../../base/access/viewer';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { PostMediaService } from '../../posts/rows/post-media.service';
import { RanksService } from '../../posts/feeds/ranks.service';
import { TagsService } from '../../posts/tags/tags.service';
import { MediaLocks } from './media-locks.service';
import { MediaStatuses } from './media-statuses';
import { MediaListings } from './media-listings.service';
import { MediaRepository } from '../rows/media.repository';
import { changesContent, changesListing, changesTags } from './media.rules';
import type { MediaChanges } from './media.types';

/** Changes what the owner says about a media item. */
@Injectable()
export class MediaEditing {
  constructor(
    private readonly database: Database,
    private readonly repository: MediaRepository,
    private readonly locks: MediaLocks,
    private readonly statuses: MediaStatuses,
    private readonly postMedia: PostMediaService,
    private readonly tags: TagsService,
    private readonly listings: MediaListings,
    private readonly ranks: RanksService,
  ) {}

  /**
   * Changes texts, tags, listing and the owner's mark as adult content of a media item of the caller, given by slug or
   * numeric id. Changed texts or tags start a new revision of every post that contains it. Throws `NotFoundError`,
   * `ForbiddenError`, also for `isNsfw` if a moderator rejected the media item, and `InvalidFieldsError` on `add_tags` if
   * they are too many.
   */
  async update(
    reference: string,
    caller: NonNullable<Viewer>,
    { addTags, ...requested }: MediaChanges,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const media = await this.locks.lockOwn(tx, reference, caller);
      const changes = addTags ? { ...requested, tags: withTags(media.tags, addTags) } : requested;
      const { tags, isNsfw, ...fields } = changes;
      await this.repository.change(tx, media.id, {
        ...fields,
        ...(tags !== undefined && { tags: tags ?? [] }),
      });
      if (isNsfw !== undefined) await this.statuses.mark(tx, media, caller, isNsfw);
      if (changesContent(media, changes)) await this.postMedia.reviseForMedia(tx, media.id);
      if (changesListing(media, changes)) await this.listings.deriveListings(tx, [media.id]);
      if (changesTags(media, changes)) {
        await this.ranks.queue(tx, 'media', [media.id]);
        await this.tags.setMediaTags(tx, media.id, tags ?? []);
      }
    });
  }
}

/** Tags with more of them. Throws `InvalidFieldsError`. */
function withTags(tags: readonly string[], added: readonly string[]): readonly string[] {
  const all = [...new Set([...tags, ...added])];
  if (all.length <= MAX_TAGS) return all;
  throw new InvalidFieldsError({ add_tags: [`The media item may not have more than ${MAX_TAGS} tags.`] });
}
