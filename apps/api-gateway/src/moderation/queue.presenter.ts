import type { QueueItemResource, ReportResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { presentUserComment } from '../comments/comment.presenter';
import { presentScores } from './decision.presenter';
import type { OpenReport, QueuedItem, QueueItem } from '@vitrine/domain';
import { presentMedia, presentListedPost, presentAuthor } from '@vitrine/http';

/** The resource of an item in the moderation queue. */
export const presentQueueItem = ({ entry, thing }: QueueItem, urls: PublicUrlsConfig): QueueItemResource => ({
  type: entry.type,
  ...presentThing(thing, urls),
  scores: presentScores(entry.scores),
  reasons: entry.reasons,
  reports: entry.reports,
  latest_reports: entry.latestReports.map(presentReport),
  waiting_since: entry.waitingSince.toISOString(),
});

/** The media item, post, comment or user, in the field for its type. */
function presentThing(
  thing: QueuedItem,
  urls: PublicUrlsConfig,
): Pick<QueueItemResource, 'media' | 'post' | 'comment' | 'user'> {
  switch (thing.type) {
    case 'media':
      return { media: presentMedia(thing.view, urls, false) };
    case 'post':
      return { post: presentListedPost(thing.view, urls) };
    case 'comment':
      return { comment: presentUserComment(thing.view, urls) };
    case 'user':
      return { user: presentAuthor(thing.view, urls) };
  }
}

const presentReport = ({ reason, details, reporter, contact, createdAt }: OpenReport): ReportResource => ({
  reason,
  details,
  reporter,
  contact,
  created_at: createdAt.toISOString(),
});
