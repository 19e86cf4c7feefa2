import type { MediaResource, PostResource } from '@vitrine/contracts/api';

const seconds = (date: string): number => Math.floor(Date.parse(date) / 1000);

/** Imgur's image. Only the answer to an upload has a `deletehash`. */
export const presentImgurImage = (media: MediaResource, deletehash?: string) => ({
  id: media.slug,
  title: media.title,
  description: media.description,
  datetime: seconds(media.created_at),
  type: media.type,
  animated: media.animated || media.duration !== null,
  width: media.width,
  height: media.height,
  size: media.size,
  views: 0,
  bandwidth: 0,
  vote: null,
  favorite: false,
  nsfw: media.moderation_status === 'nsfw',
  section: null,
  account_url: media.user?.username ?? null,
  account_id: null,
  in_gallery: false,
  tags: media.tags,
  name: '',
  link: media.urls.original,
  ...(deletehash !== undefined && { deletehash }),
});

/** Imgur's album, from a post with its media. */
export const presentImgurAlbum = (post: PostResource, isPublic: boolean) => ({
  id: post.slug,
  title: post.title,
  description: post.description,
  datetime: seconds(post.created_at),
  cover: post.media[0]?.slug ?? null,
  account_url: post.user?.username ?? null,
  privacy: isPublic ? 'public' : 'hidden',
  layout: 'blog',
  views: post.view_count,
  link: post.page_url,
  nsfw: post.moderation_status === 'nsfw',
  images_count: post.media_count,
  images: post.media.map((media) => presentImgurImage(media)),
});
