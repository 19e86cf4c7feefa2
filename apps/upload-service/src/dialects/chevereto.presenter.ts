import { basename } from 'node:path';
import type { MediaResource } from '@vitrine/contracts/api';
import type { DialectUpload } from './dialect-uploads';

/** One file of an image, as Chevereto and ImgBB describe it. */
const presentFile = (url: string, mime: string) => {
  const filename = basename(new URL(url).pathname);
  const [name = '', extension = ''] = filename.split('.');
  return { filename, name, mime, extension, url };
};

const mimeOf = (url: string): string => {
  const extension = url.slice(url.lastIndexOf('.') + 1);
  return extension === 'mp4' ? 'video/mp4' : `image/${extension === 'jpg' ? 'jpeg' : extension}`;
};

const presentVariant = (url: string) => presentFile(url, mimeOf(url));

/** `2026-11-23 08:00:00`, in UTC. */
const dateOf = (media: MediaResource): string => media.created_at.slice(0, 19).replace('T', ' ');

/** Chevereto's answer (API 1). Sizes are in bytes; numbers that Chevereto sends as texts are texts. */
export const presentChevereto = ({ media, deletionUrl }: DialectUpload) => ({
  status_code: 200,
  success: { message: 'image uploaded', code: 200 },
  image: {
    ...presentFile(media.urls.original, media.type),
    id_encoded: media.slug,
    title: media.title,
    description: media.description,
    size: media.size,
    width: media.width,
    height: media.height,
    date: dateOf(media),
    date_gmt: dateOf(media),
    nsfw: '0',
    views: '0',
    url_viewer: media.page_url,
    url_short: media.page_url,
    display_url: media.urls.lg,
    image: presentFile(media.urls.original, media.type),
    thumb: presentVariant(media.urls.thumb),
    medium: presentVariant(media.urls.md),
    delete_url: deletionUrl,
  },
  status_txt: 'OK',
});

/** ImgBB's answer (API 1). */
export const presentImgbb = ({ media, deletionUrl }: DialectUpload) => ({
  data: {
    id: media.slug,
    title: media.title ?? media.slug,
    url_viewer: media.page_url,
    url: media.urls.original,
    display_url: media.urls.lg,
    width: media.width,
    height: media.height,
    size: media.size,
    time: Math.floor(Date.parse(media.created_at) / 1000),
    expiration: 0,
    image: presentFile(media.urls.original, media.type),
    thumb: presentVariant(media.urls.thumb),
    medium: presentVariant(media.urls.md),
    delete_url: deletionUrl,
  },
  success: true,
  status: 200,
});
