import type { AnswerOf } from '@vitrine/client';
import type { ModerationStatus, ReportType } from '@vitrine/contracts';
import { commentPath } from '../links/paths';

export type QueueItem = AnswerOf<'listModerationQueue'>['data'][number];
export type Scores = NonNullable<QueueItem['scores']>;

/** The subject of a decision, as the API's paths name it. */
export interface Subject {
  readonly type: ReportType;
  /** Slug of a media item or post, id of a comment, username. */
  readonly target: string;
}

/** The subject of an item; null if the API's item lacks it. */
export function subjectOf({ type, media, post, comment, user }: QueueItem): Subject | null {
  const target = { media: media?.slug, post: post?.slug, comment: comment?.id, user: user?.username }[type];
  return target === undefined ? null : { type, target: String(target) };
}

/** The current moderation status; null for subjects without one. */
export const statusOf = ({ media, post }: QueueItem): ModerationStatus | null =>
  media?.moderation_status ?? post?.moderation_status ?? null;

/** Path of a subject's page. `commentedPost`: the slug of the post with the comment. */
export function pagePathOf({ type, target }: Subject, commentedPost?: string): string {
  switch (type) {
    case 'media':
      return `/m/${target}`;
    case 'post':
      return `/p/${target}`;
    case 'comment':
      return commentedPost === undefined
        ? '/'
        : commentPath({ slug: commentedPost, key: undefined }, Number(target));
    case 'user':
      return `/u/${encodeURIComponent(target)}`;
  }
}
