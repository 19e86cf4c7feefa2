import type { Media, Post } from '@vitrine/client';

/** Whether a media item is covered until the viewer clicks. It isn't covered for its owner. */
export function isVeiled(post: Post, media: Media, showsNsfw: boolean): boolean {
  const isAdult = post.moderation_status === 'nsfw' || media.moderation_status === 'nsfw';
  return isAdult && !showsNsfw && post.visibility === undefined;
}
