import type { Media } from '@vitrine/client';
import type { UploadedMedia } from './queue';

/** The fields of a media item that the page needs, as the API and the site return them. */
export type MediaFacts = Pick<
  Media,
  'id' | 'slug' | 'type' | 'processed' | 'moderation_status' | 'processing_error'
> & { readonly urls: Pick<Media['urls'], 'thumb'> };

export const uploadedMediaOf = (media: MediaFacts): UploadedMedia => ({
  id: media.id,
  slug: media.slug,
  video: media.type.startsWith('video/'),
  thumb: media.urls.thumb,
  processed: media.processed,
  status: media.moderation_status,
  error: media.processing_error,
});
