import { Injectable } from '@nestjs/common';
import { mediaModerated, mediaWithdrawn, type ModerationStatus } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import type { Viewer } from '../../base/access/viewer';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import { ForbiddenError } from '../../base/errors/domain-error';
import { mediaEvent } from '../rows/media-events';
import { fileNamesOf } from '../links/file-names';
import { PostMediaService } from '../../posts/rows/post-media.service';
import type { MediaEntity } from '../rows/media.entity';
import { MediaListings } from './media-listings.service';
import { MediaRepository } from '../rows/media.repository';
import { deriveMediaStatus, mayMarkMediaNsfw } from './media.rules';
import type { MediaStatusChange } from './media.types';

/** Changes of the status of a media item, together with what is derived from it. */
@Injectable()
export class MediaStatuses {
  constructor(
    private readonly repository: MediaRepository,
    private readonly postMedia: PostMediaService,
    private readonly decisions: DecisionLog,
    private readonly outbox: Outbox,
    private readonly listings: MediaListings,
  ) {}

  /**
   * Records the status of a locked media item, which may be the same as before, and the status of every post that
   * contains it. If it becomes rejected, `media.withdrawn` tells that its files are 404 now.
   */
  async change(tx: Transaction, media: MediaEntity, to: ModerationStatus): Promise<MediaStatusChange> {
    const { id, moderationStatus: from } = media;
    const { relisted, ...facts } = await this.repository.recordDecision(tx, id, to);
    const event = mediaEvent(media, facts);
    if (from !== to) {
      // Ranks and tags of posts are locked before those of media, as when the items are ranked.
      await this.postMedia.deriveStatusesOfMedia(tx, id);
      await this.listings.copyListings(tx, relisted);
      if (to === 'rejected')
        await this.outbox.add(tx, mediaWithdrawn, {
          ...event,
          sequence: facts.sequence - 1,
          file_names: fileNamesOf(media),
        });
    }
    return { event, from, to };
  }

  /**
   * Sets or removes the owner's mark as adult content on a locked media item. If this changes its status, its posts
   * follow, and `media.moderated` says so. Throws `ForbiddenError` if a moderator rejected the media item.
   */
  async mark(
    tx: Transaction,
    media: MediaEntity,
    caller: NonNullable<Viewer>,
    isNsfw: boolean,
  ): Promise<void> {
    const latest = await this.decisions.findLatestOfMedia(tx, media.id);
    if (!mayMarkMediaNsfw(latest)) throw new ForbiddenError();
    if (isNsfw === media.ownerNsfw) return;
    const { id, slug, moderationStatus: from } = media;
    const to = deriveMediaStatus(latest, isNsfw);
    await this.repository.change(tx, id, { ownerNsfw: isNsfw });
    const change = from === to ? null : await this.change(tx, media, to);
    const decision = { subject: 'media', subjectId: id, slug, from, to } as const;
    const decisionId = await this.decisions.appendByOwner(tx, decision, caller.userId);
    if (!change) return;
    await this.outbox.add(tx, mediaModerated, {
      ...change.event,
      decision_id: decisionId,
      from,
      to,
      reason: 'owner',
      decided_by: 'owner',
    });
  }
}
