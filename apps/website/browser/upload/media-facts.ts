import type { Media } from '@vitrine/client';
import type { UploadedMedia } from './queue';

/** As much of a media as the page needs, as the API and the site tell it. */
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
