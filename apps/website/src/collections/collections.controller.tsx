import { Controller, Get, Param, Post } from '@nestjs/common';
import { collectionPath } from '../links/paths';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { ignoreNotFound } from '../visits/errors';
import { fieldText, fieldTexts } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { CollectionPage } from './collection-pages';
import { type Collection, SaveButtons } from './save-buttons';

/** Number of posts on a page. */
const LIMIT = 30;

@Controller()
export class CollectionsController {
  @Get('saved')
  async saved(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    return this.page(visit, await visit.api.collections.get('saved'));
  }

  @Get('c/:collection')
  async show(@CurrentVisit() visit: Visit, @Param('collection') slug: string): Promise<Page> {
    return this.page(visit, await visit.api.collections.get(slug));
  }

  @Post('saved')
  async create(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    const made = await visit.api.collections.create(
      { name: fieldText(visit, 'name'), visibility: visibilityOf(visit) },
      { idempotencyKey: visit.idempotencyKey },
    );
    return new FormResult({ goTo: collectionPath(made), notice: `The collection “${made.name}” is ready.` });
  }

  @Post('c/:collection')
  async change(@CurrentVisit() visit: Visit, @Param('collection') slug: string): Promise<FormResult> {
    await visit.requireViewer();
    const name = fieldText(visit, 'name');
    const changed = await visit.api.collections.update(slug, {
      ...(name !== '' && { name }),
      visibility: visibilityOf(visit),
    });
    return new FormResult({ goTo: collectionPath(changed), notice: 'Saved.' });
  }

  @Post('c/:collection/delete')
  async remove(@CurrentVisit() visit: Visit, @Param('collection') slug: string): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.collections.delete(slug));
    return new FormResult({
      goTo: '/saved',
      notice: 'The collection is deleted. Its posts are still there.',
    });
  }

  /** Saves a post, or removes it from the saved ones if the field `saved` is empty. */
  @Post('p/:post/save')
  async save(@CurrentVisit() visit: Visit, @Param('post') post: string): Promise<FormResult> {
    await visit.requireViewer();
    const isSaved = fieldText(visit, 'saved') !== '';
    await (isSaved ? visit.api.collections.add('saved', post) : visit.api.collections.remove('saved', post));
    const collections = await visit.api.collections.list({ post });
    return new FormResult({
      goTo: safePath(fieldText(visit, 'next')),
      notice: isSaved ? 'Saved.' : 'No longer saved.',
      fragment: <SaveButtons slug={post} collections={collections} />,
    });
  }

  /** Puts a post into the checked ones of the `shown` collections and a new one, and takes it out of the others. */
  @Post('p/:post/collections')
  async choose(@CurrentVisit() visit: Visit, @Param('post') post: string): Promise<FormResult> {
    await visit.requireViewer();
    const { collections } = visit.api;
    const wanted = new Set(fieldTexts(visit, 'in'));
    const name = fieldText(visit, 'new').trim();
    if (name !== '') {
      const made = await collections.create({ name }, { idempotencyKey: visit.idempotencyKey });
      await collections.add(made.slug, post);
    }
    const shown = new Set(fieldTexts(visit, 'shown'));
    for (const { slug, contains } of await collections.list({ post })) {
      if (!shown.has(slug) || contains === wanted.has(slug)) continue;
      await (wanted.has(slug) ? collections.add(slug, post) : collections.remove(slug, post));
    }
    return new FormResult({
      goTo: safePath(fieldText(visit, 'next')),
      notice: 'Your collections are saved.',
    });
  }

  private async page(visit: Visit, collection: Collection): Promise<Page> {
    const page = queryPage(visit.request);
    const viewer = await visit.viewer();
    const isOwn = viewer?.username === collection.user.username;
    const [posts, own] = await Promise.all([
      visit.api.collections.posts(collection.slug).list({ limit: LIMIT, page, nsfw: visit.showsNsfw }),
      isOwn ? visit.api.collections.list() : null,
    ]);
    return new Page({
      title: collection.name ?? 'Saved',
      width: 'full',
      styles: ['feed.css'],
      scripts: ['grid.js'],
      head: { robots: 'noindex' },
      body: <CollectionPage collection={collection} posts={posts} page={page} own={own} />,
    });
  }
}

const visibilityOf = (visit: Visit): 'private' | 'hidden' =>
  fieldText(visit, 'visibility') === 'hidden' ? 'hidden' : 'private';
