import type { AnswerOf } from '@vitrine/client';
import type { ModerationStatus, ReportType } from '@vitrine/contracts';
import { commentPath } from '../comments/thread';

export type QueueItem = AnswerOf<'listModerationQueue'>['data'][number];
export type Scores = NonNullable<QueueItem['scores']>;

/** What moderators decide on, by the name that the API's addresses have for it. */
export interface Subject {
  readonly type: ReportType;
  /** Slug of a media or post, id of a comment, username. */
  readonly target: string;
}

/** Null where the API sent a kind of thing without the thing. */
export function subjectOf({ type, media, post, comment, user }: QueueItem): Subject | null {
  const target = { media: media?.slug, post: post?.slug, comment: comment?.id, user: user?.username }[type];
  return target === undefined ? null : { type, target: String(target) };
}

/** As it is now; null of what has no status. */
export const statusOf = ({ media, post }: QueueItem): ModerationStatus | null =>
  media?.moderation_status ?? post?.moderation_status ?? null;

/** The page of what is decided on; `commentedPost`: the slug of the post that a comment is on. */
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
