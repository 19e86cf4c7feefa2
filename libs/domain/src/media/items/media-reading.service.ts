import { Injectable } from '@nestjs/common';
import { isSlug, readNumericId } from '@vitrine/contracts';
import type { FeedQuery, UserListQuery } from '@vitrine/contracts/api';
import type { Reading } from '../../base/access/reading';
import type { Viewer } from '../../base/access/viewer';
import { NotFoundError } from '../../base/errors/domain-error';
import { FeedRequests, type RequestedPage } from '../../posts/feeds/feed-requests';
import { RelationsService } from '../../community/relations/relations.service';
import { MediaViewRepository } from './media-view.repository';
import type { MediaPage, MediaView, PlacedMedia, ServedMedia } from './media.types';
import { MediaRepository } from '../rows/media.repository';
import { canFindMediaById, canSeeMedia, isMediaShownInList } from './media.rules';
import { ServedMediaRepository } from './served-media.repository';

/** Finds media: for viewers, in lists, and for the services that serve and clean up files. */
@Injectable()
export class MediaReading {
  constructor(
    private readonly repository: MediaRepository,
    private readonly views: MediaViewRepository,
    private readonly served: ServedMediaRepository,
    private readonly feedRequests: FeedRequests,
    private readonly relations: RelationsService,
  ) {}

  /**
   * A media item by slug or numeric id. Throws `NotFoundError` if it doesn't exist or the viewer may not see it, by its
   * id not even if it is unlisted.
   */
  async findForViewer(reference: string, viewer: Viewer): Promise<PlacedMedia> {
    const id = readNumericId(reference);
    const slug = id === null ? reference : await this.repository.findSlug(id);
    const view = slug !== null && isSlug(slug) ? await this.views.findBySlug(slug) : null;
    if (!view || !canSeeMedia(view.media, view.ownerRestriction, viewer)) throw new NotFoundError();
    if (id !== null && !canFindMediaById(view.media, viewer)) throw new NotFoundError();
    await this.relations.assertVisible(viewer, view.media.userId);
    return view;
  }

  /** The ids of media that are given by ids or slugs, in their order; 0, which no item has, for an unknown slug. */
  async findIds(named: readonly (number | string)[]): Promise<readonly number[]> {
    const slugs = named.filter((name) => typeof name === 'string');
    const ids = slugs.length === 0 ? new Map<string, number>() : await this.repository.findIdsBySlug(slugs);
    return named.map((name) => (typeof name === 'number' ? name : (ids.get(name) ?? 0)));
  }

  /**
   * The media with these slugs, in their order. Unknown ones, and those that the viewer may not see, are left out.
   */
  async findForViewerBySlugs(slugs: readonly string[], viewer: Viewer): Promise<readonly MediaView[]> {
    const views = await Promise.all(slugs.filter(isSlug).map((slug) => this.views.findBySlug(slug)));
    const visible = views
      .filter((view) => view !== null)
      .filter(({ media, ownerRestriction }) => canSeeMedia(media, ownerRestriction, viewer));
    const blocked = await this.relations.findBlockedAmong(
      viewer,
      visible.map(({ media }) => media.userId),
    );
    return visible.filter(({ media }) => media.userId === null || !blocked.has(media.userId));
  }

  /** The media with these ids, in their order; deleted ones are left out. */
  async findViews(
    ids: readonly number[],
    { mayLag = false }: Pick<Reading, 'mayLag'> = {},
  ): Promise<readonly MediaView[]> {
    const views = await this.views.findByIds(ids, mayLag);
    return ids.flatMap((id) => views.get(id) ?? []);
  }

  /** A page of the feed of all media. */
  async findFeedPage(query: FeedQuery, reading: Reading): Promise<MediaPage> {
    const page = await this.feedRequests.findPage('media', query, reading);
    // The feed shows the same to everybody, except for people whom the viewer doesn't see.
    const { items, ...rest } = await this.showPage(page, { ...reading, viewer: null });
    const owner = ({ media }: MediaView): number | null => media.userId;
    return { ...rest, items: await this.relations.removeHidden(items, page.hidden, reading.viewer, owner) };
  }

  /** A page of a user's media, for the profile. Throws `NotFoundError` for an unknown username. */
  async findProfilePage(username: string, query: UserListQuery, reading: Reading): Promise<MediaPage> {
    return this.showPage(await this.feedRequests.findProfilePage('media', username, query, reading), reading);
  }

  /** A page of the caller's own media. */
  async findOwnPage(caller: NonNullable<Viewer>, query: UserListQuery): Promise<MediaPage> {
    const page = await this.feedRequests.findOwnPage('media', caller.userId, query);
    return this.showPage(page, { viewer: caller });
  }

  /** The media item that the file host serves under this slug; null if there is none. */
  async findServed(slug: string): Promise<ServedMedia | null> {
    return isSlug(slug) ? this.served.findOneServed(slug) : null;
  }

  /** Those of the media with these slugs that the file host serves, by slug. */
  findAllServed(slugs: readonly string[]): Promise<ReadonlyMap<string, ServedMedia>> {
    return this.served.findServed(slugs);
  }

  /** Of these slugs, those of media that are served and still wait for their variants. */
  findUnprocessed(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findUnprocessed(slugs);
  }

  /** Of these slugs, those of media whose processing or automatic check is due. */
  findInProgress(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findInProgress(slugs);
  }

  /** Those of `slugs` that are in use. */
  findExistingSlugs(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findExistingSlugs(slugs);
  }

  private async showPage({ ids, total, seed }: RequestedPage, reading: Reading): Promise<MediaPage> {
    const views = await this.findViews(ids, reading);
    const items = views.filter(({ media, ownerRestriction }) =>
      isMediaShownInList(media, ownerRestriction, reading.viewer),
    );
    return { items, total, seed };
  }
}
