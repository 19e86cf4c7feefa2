import { Controller, Get, Post, Query } from '@nestjs/common';
import { type BodyOf, type Media, VitrineError } from '@vitrine/client';
import { MAX_LIMIT, MAX_POST_MEDIA } from '@vitrine/contracts';
import { guestPath, postPath } from '../links/paths';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { AssetManifest } from '../rendering/asset-manifest';
import { CurrentVisit } from '../visits/current-visit';
import { fieldLines, fieldText, fieldTexts } from '../visits/form-fields';
import { LogInRequiredError } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../config/website.config';
import { typedTags } from '../tags/typed-tags';
import { uploadPage } from './upload-page';
import { guestTicket, type Uploader, uploaderOf } from './uploader';

/** Maximum number of files in one state request; the page requests the rest later. */
const MAX_SLUGS = 50;
/** Newer media that other programs may have uploaded; they come first in the uploader's list. */
const EXTRA_MEDIA = 20;
/** The number of the API's largest pages that contain a day's uploads. */
const MAX_PAGES = 4;

@Controller('upload')
export class UploadController {
  constructor(
    private readonly config: WebsiteConfig,
    private readonly assets: AssetManifest,
  ) {}

  @Get()
  async show(
    @CurrentVisit() visit: Visit,
    @Query('post') slug: unknown,
    @Query('shared') shared: unknown,
  ): Promise<Page> {
    // The page shows what is stored, so it needs the current account and not a cached one.
    visit.forgetViewer();
    const viewer = await visit.viewer();
    const site = await visit.api.site();
    if (!viewer && !site.guest_uploads) throw new LogInRequiredError();
    const target = typeof slug === 'string' && slug !== '' ? await this.ownPost(visit, slug) : null;
    return uploadPage({
      as: viewer?.username ?? '',
      target,
      hasGuestUploads: visit.guestToken !== undefined,
      byUrl: site.upload_by_url,
      hasLostShared: shared === 'failed',
      shareWorker: this.assets.pathOf('share-worker.js'),
      maxFileBytes: this.config.maxFileBytes,
      storage: viewer?.storage ?? null,
    });
  }

  /** Returns a ticket, with which the page can upload for an hour. */
  @Post('ticket')
  async giveTicket(@CurrentVisit() visit: Visit): Promise<FormResult> {
    const isGuest = fieldText(visit, 'as') === '';
    const { ticket, expires_at, storage } = isGuest
      ? await guestTicket(visit)
      : await (
          await uploaderOf(visit)
        ).run((api) => api.uploadTickets.create({ idempotencyKey: visit.idempotencyKey }));
    // Visitors' clocks may be wrong, so the response also contains the duration.
    const expires_in = Math.max(0, Math.floor((Date.parse(expires_at) - Date.now()) / 1000));
    const data = { ticket, expires_at, expires_in, upload_url: this.config.upload, storage };
    return new FormResult({ goTo: '/upload', data });
  }

  /** Returns the state of some of the uploader's own files. */
  @Get('state')
  async state(
    @CurrentVisit() visit: Visit,
    @Query('as') as: unknown,
    @Query('slugs') slugs: unknown,
  ): Promise<object> {
    visit.response.set('Cache-Control', 'no-store');
    const asked = new Set(String(slugs ?? '').split(',', MAX_SLUGS));
    const uploader = await uploaderOf(visit, String(as ?? ''));
    return { media: (await findOwn(uploader, asked)).map(stateOf) };
  }

  /** Deletes an upload that was removed from the page before it was posted. */
  @Post('discard')
  async discard(@CurrentVisit() visit: Visit): Promise<FormResult> {
    const uploader = await uploaderOf(visit);
    await uploader.run((api) => api.media.delete(fieldText(visit, 'slug')));
    return new FormResult({ goTo: '/upload' });
  }

  /** Saves what the uploader has written about a file while the page was open. */
  @Post('describe')
  async describe(@CurrentVisit() visit: Visit): Promise<FormResult> {
    const uploader = await uploaderOf(visit);
    const changes = {
      description: fieldLines(visit, 'description').trim() || null,
      alt_text: fieldLines(visit, 'alt_text').trim() || null,
    };
    await uploader.run((api) => api.media.update(fieldText(visit, 'slug'), changes));
    return new FormResult({ goTo: '/upload' });
  }

  /** Creates a post with uploaded files, or adds them to a post. */
  @Post()
  async post(@CurrentVisit() visit: Visit): Promise<FormResult> {
    const uploader = await uploaderOf(visit);
    const ids = fieldTexts(visit, 'media').map(Number);
    const target = fieldText(visit, 'post');
    try {
      return target === ''
        ? await createPost(visit, uploader, ids, this.config.site)
        : await addToPost(visit, uploader, target, ids);
    } catch (error) {
      throw withFormFieldNames(error);
    }
  }

  /** A post to which the visitor may add files. Throws `VitrineError` `not_found`, `forbidden`. */
  private async ownPost(visit: Visit, slug: string) {
    const hasAccount = (await visit.viewer()) !== null;
    const post =
      hasAccount || visit.guestToken === undefined
        ? await visit.api.posts.get(slug, { perPage: 1 })
        : await (await uploaderOf(visit, '')).run((api) => api.posts.get(slug, { perPage: 1 }));
    if (post.visibility === undefined) {
      throw new VitrineError({ code: 'forbidden', status: 403, message: 'This post is not yours.' });
    }
    return post;
  }
}

/**
 * Finds the uploader's own media by slug: first among the newest, then among all that can be uploaded in a day. Other
 * people's media are not found.
 */
async function findOwn(uploader: Uploader, slugs: ReadonlySet<string>): Promise<readonly Media[]> {
  const pick = (media: readonly Media[]): readonly Media[] => media.filter(({ slug }) => slugs.has(slug));
  let found = pick((await uploader.listMedia({ limit: slugs.size + EXTRA_MEDIA })).data);
  for (let page = 1, last = MAX_PAGES; found.length < slugs.size && page <= last; page++) {
    const { data, meta } = await uploader.listMedia({ limit: MAX_LIMIT, page });
    found = page === 1 ? pick(data) : [...found, ...pick(data)];
    last = Math.min(last, meta.last_page);
  }
  return found;
}

async function createPost(
  visit: Visit,
  uploader: Uploader,
  ids: readonly number[],
  site: string,
): Promise<FormResult> {
  const text = (name: string): string | null => fieldText(visit, name).trim() || null;
  const body: BodyOf<'createPost'> = {
    media_ids: [...ids],
    title: text('title'),
    description: fieldLines(visit, 'description').trim() || null,
    tags: [...typedTags(fieldText(visit, 'tags'))],
    visibility: visibilityOf(fieldText(visit, 'visibility')),
    is_nsfw: fieldText(visit, 'nsfw') !== '',
  };
  const post = await uploader.run((api) => api.posts.create(body, { idempotencyKey: visit.idempotencyKey }));
  const { guestToken } = visit;
  if (uploader.username === null && guestToken !== undefined) {
    return new FormResult({ goTo: guestPath(guestToken, post.slug), data: { slug: post.slug } });
  }
  const key = post.access_key ?? undefined;
  visit.setNotice(POSTED[body.visibility ?? 'public'], site + postPath(post.slug, { key }));
  return new FormResult({ goTo: postPath(post.slug), data: { slug: post.slug } });
}

async function addToPost(
  visit: Visit,
  uploader: Uploader,
  slug: string,
  ids: readonly number[],
): Promise<FormResult> {
  await uploader.run((api) => api.posts.addMedia(slug, ids, { idempotencyKey: visit.idempotencyKey }));
  const { guestToken } = visit;
  // A guest can see their private post only through their private link.
  if (uploader.username === null && guestToken !== undefined) {
    return new FormResult({ goTo: guestPath(guestToken, slug), data: { slug } });
  }
  visit.setNotice(
    ids.length === 1 ? 'Added 1 file to your post.' : `Added ${ids.length} files to your post.`,
  );
  return new FormResult({ goTo: postPath(slug), data: { slug } });
}

type Visibility = NonNullable<BodyOf<'createPost'>['visibility']>;
const VISIBILITIES: readonly Visibility[] = ['public', 'hidden', 'private'];

const POSTED: Readonly<Record<Visibility, string>> = {
  public: 'Posted. It appears in the feeds after it has been checked.',
  hidden: 'Posted. Anyone with the link can see it. It is in no feed.',
  private: 'Posted. Only people with the secret link can see it.',
};

/** An invalid value becomes `private`. */
const visibilityOf = (text: string): Visibility => VISIBILITIES.find((known) => known === text) ?? 'private';

/** Maps the API's field names to those of the form, which can't show errors for single media ids. */
function withFormFieldNames(error: unknown): unknown {
  if (!(error instanceof VitrineError) || error.code !== 'invalid') return error;
  const errors: Record<string, readonly string[]> = {};
  for (const [name, lines] of Object.entries(error.errors)) {
    const [field = name] = name.split('.');
    if (field === 'media_ids') errors['media'] = [MEDIA_REFUSED];
    else errors[field] = [...(errors[field] ?? []), ...lines];
  }
  const [message = error.message] = Object.values(errors).flat();
  return new VitrineError({ code: 'invalid', status: 422, message, errors });
}

const MEDIA_REFUSED = `A post can have 1 to ${MAX_POST_MEDIA} files, and they must be your own. If you have deleted one elsewhere, remove it here too.`;

const stateOf = (media: Media): object => ({
  id: media.id,
  slug: media.slug,
  type: media.type,
  processed: media.processed,
  moderation_status: media.moderation_status,
  processing_error: media.processing_error,
  urls: { original: media.urls.original, thumb: media.urls.thumb, xl: media.urls.xl },
});
