import { Controller, Get, Inject, Post, Query } from '@nestjs/common';
import { type BodyOf, type Media, VitrineError } from '@vitrine/client';
import { guestPath } from '../guests/guest-path';
import { Outcome, type Page } from '../rendering/page';
import { postPath } from '../posts/post-path';
import { CurrentVisit } from '../visits/current-visit';
import { fieldLines, fieldText, fieldTexts } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../website.config';
import { typedTags } from '../tags/typed-tags';
import { uploadPage } from './upload-page';
import { guestTicket, type Uploader, uploaderOf } from './uploader';

/** Files of one question of the page for their state; it asks for the rest the next time. */
const MOST_SLUGS = 50;
/** What may have come from elsewhere since, and stands before them in the list of the uploader's media. */
const OTHERS = 20;
/** Of the API's lists: the largest page, and as many as hold a day's uploads. */
const PAGE_SIZE = 250;
const MOST_PAGES = 4;

@Controller('upload')
export class UploadController {
  constructor(@Inject(WebsiteConfig) private readonly config: WebsiteConfig) {}

  @Get()
  async show(@CurrentVisit() visit: Visit, @Query('post') slug: unknown): Promise<Page> {
    const viewer = await visit.viewer();
    const target = typeof slug === 'string' && slug !== '' ? await this.ownPost(visit, slug) : null;
    return uploadPage({
      as: viewer?.username ?? '',
      target,
      hasGuestUploads: visit.guestToken !== undefined,
      maxFileBytes: this.config.maxFileBytes,
    });
  }

  /** What a page may upload with for an hour. */
  @Post('ticket')
  async giveTicket(@CurrentVisit() visit: Visit): Promise<Outcome> {
    const isGuest = fieldText(visit, 'as') === '';
    const { ticket, expires_at } = isGuest
      ? await guestTicket(visit)
      : await (
          await uploaderOf(visit)
        ).run((api) => api.uploadTickets.create({ idempotencyKey: visit.idempotencyKey }));
    // Clocks of visitors go as they please: they are told how long, too.
    const expires_in = Math.max(0, Math.floor((Date.parse(expires_at) - Date.now()) / 1000));
    const data = { ticket, expires_at, expires_in, upload_url: this.config.upload };
    return new Outcome({ goTo: '/upload', data });
  }

  /** What has become of some of the uploader's own files. */
  @Get('state')
  async state(
    @CurrentVisit() visit: Visit,
    @Query('as') as: unknown,
    @Query('slugs') slugs: unknown,
  ): Promise<object> {
    visit.response.set('Cache-Control', 'no-store');
    const asked = new Set(String(slugs ?? '').split(',', MOST_SLUGS));
    const uploader = await uploaderOf(visit, String(as ?? ''));
    return { media: (await findOwn(uploader, asked)).map(stateOf) };
  }

  /** Deletes an upload that was taken off the page before it was posted. */
  @Post('discard')
  async discard(@CurrentVisit() visit: Visit): Promise<Outcome> {
    const uploader = await uploaderOf(visit);
    await uploader.run((api) => api.media.delete(fieldText(visit, 'slug')));
    return new Outcome({ goTo: '/upload' });
  }

  /** Makes a post of uploaded files, or adds them to one. */
  @Post()
  async post(@CurrentVisit() visit: Visit): Promise<Outcome> {
    const uploader = await uploaderOf(visit);
    const ids = fieldTexts(visit, 'media').map(Number);
    const target = fieldText(visit, 'post');
    try {
      return target === '' ? await make(visit, uploader, ids) : await add(visit, uploader, target, ids);
    } catch (error) {
      throw inWordsOfTheForm(error);
    }
  }

  /** A post that the visitor may add to. Throws `VitrineError` `not_found`, `forbidden`. */
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

/** Looks where they most likely are, then through all that one may upload in a day. Other people's are not found. */
async function findOwn(uploader: Uploader, slugs: ReadonlySet<string>): Promise<readonly Media[]> {
  const pick = (media: readonly Media[]): readonly Media[] => media.filter(({ slug }) => slugs.has(slug));
  let found = pick((await uploader.listMedia({ limit: slugs.size + OTHERS })).data);
  for (let page = 1, last = MOST_PAGES; found.length < slugs.size && page <= last; page++) {
    const { data, meta } = await uploader.listMedia({ limit: PAGE_SIZE, page });
    found = page === 1 ? pick(data) : [...found, ...pick(data)];
    last = Math.min(last, meta.last_page);
  }
  return found;
}

async function make(visit: Visit, uploader: Uploader, ids: readonly number[]): Promise<Outcome> {
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
    return new Outcome({ goTo: guestPath(guestToken, post.slug), data: { slug: post.slug } });
  }
  visit.leaveNotice('Posted. It shows in the feeds as soon as it is checked.');
  return new Outcome({ goTo: postPath(post.slug), data: { slug: post.slug } });
}

async function add(visit: Visit, uploader: Uploader, slug: string, ids: readonly number[]): Promise<Outcome> {
  await uploader.run((api) => api.posts.addMedia(slug, ids, { idempotencyKey: visit.idempotencyKey }));
  const { guestToken } = visit;
  // A guest's private post shows itself to its owner under the private link alone.
  if (uploader.username === null && guestToken !== undefined) {
    return new Outcome({ goTo: guestPath(guestToken, slug), data: { slug } });
  }
  visit.leaveNotice(ids.length === 1 ? 'Added one to your post.' : `Added ${ids.length} to your post.`);
  return new Outcome({ goTo: postPath(slug), data: { slug } });
}

type Visibility = NonNullable<BodyOf<'createPost'>['visibility']>;
const VISIBILITIES: readonly Visibility[] = ['public', 'hidden', 'private'];

/** What is not said clearly is not made public. */
const visibilityOf = (text: string): Visibility => VISIBILITIES.find((known) => known === text) ?? 'private';

/** The API names the fields of its own body; the form has others, and can't show the numbers of media. */
function inWordsOfTheForm(error: unknown): unknown {
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

const MEDIA_REFUSED =
  'A post holds 1 to 50 files, and only ones of yours that are still there. Was one deleted elsewhere? Remove it here too.';

const stateOf = (media: Media): object => ({
  id: media.id,
  slug: media.slug,
  type: media.type,
  processed: media.processed,
  moderation_status: media.moderation_status,
  processing_error: media.processing_error,
  urls: { thumb: media.urls.thumb },
});
