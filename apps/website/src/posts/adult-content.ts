import type { Media, Post } from '@vitrine/client';

/** Whether a media of a post waits behind a click. Owners know what they uploaded. */
export function isVeiled(post: Post, media: Media, showsNsfw: boolean): boolean {
  const isAdult = post.moderation_status === 'nsfw' || media.moderation_status === 'nsfw';
  return isAdult && !showsNsfw && post.visibility === undefined;
}
