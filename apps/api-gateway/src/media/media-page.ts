import type { MediaResource, PageQuery, PageResource } from '@vitrine/contracts/api';
import { type Caller, type MediaPage, owns } from '@vitrine/domain';
import { presentMedia, presentPage, type RequestedAddress } from '@vitrine/http';
import type { PublicUrlsConfig } from '@vitrine/runtime';

/** The envelope of one page of media. The links of a shuffled list keep its order. */
export const presentMediaPage = (
  { items, total, seed }: MediaPage,
  { page, limit }: PageQuery,
  address: RequestedAddress,
  urls: PublicUrlsConfig,
  viewer: Caller | null,
): PageResource<MediaResource> =>
  presentPage(
    items.map((view) => presentMedia(view, urls, owns(view.media, viewer))),
    { page, limit, total },
    address,
    seed === null ? {} : { carry: { seed: String(seed) } },
  );
