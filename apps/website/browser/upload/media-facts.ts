import type { Media } from '@vitrine/client';
import type { UploadedMedia } from './queue';

/** The fields of a media item that the page needs, as the API and the site return them. */
export type MediaFacts = Pick<
  Media,
  'id' | 'slug' | 'type' | 'processed' | 'moderation_status' | 'processing_error'
> & { readonly urls: Pick<Media['urls'], 'original' | 'thumb' | 'xl'> };

/** Pictures that all browsers show, as in src/components/picture.tsx. Videos have no other file until they are processed. */
const SHOWN_EVERYWHERE = /\.(jpe?g|png|gif|webp|avif|svg)$/;

export const uploadedMediaOf = ({ urls, ...media }: MediaFacts): UploadedMedia => ({
  id: media.id,
  slug: media.slug,
  video: media.type.startsWith('video/'),
  link: media.type.startsWith('image/') && !SHOWN_EVERYWHERE.test(urls.original) ? urls.xl : urls.original,
  thumb: urls.thumb,
  processed: media.processed,
  status: media.moderation_status,
  error: media.processing_error,
});
