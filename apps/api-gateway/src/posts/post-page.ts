import type { ListedPostResource, PageQuery, PageResource } from '@vitrine/contracts/api';
import type { PostPage } from '@vitrine/domain';
import { presentListedPost, presentPage, type RequestedAddress } from '@vitrine/http';
import type { PublicUrlsConfig } from '@vitrine/runtime';

/** The envelope of one page of posts. The links of a shuffled list keep its order. */
export const presentPostPage = (
  { items, total, seed }: PostPage,
  { page, limit }: PageQuery,
  address: RequestedAddress,
  urls: PublicUrlsConfig,
): PageResource<ListedPostResource> =>
  presentPage(
    items.map((view) => presentListedPost(view, urls)),
    { page, limit, total },
    address,
    seed === null ? {} : { carry: { seed: String(seed) } },
  );
