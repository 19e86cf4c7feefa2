import { Controller, Get, Param, Post } from '@nestjs/common';
import { VitrineError } from '@vitrine/client';
import { formTroubleOf, refusal } from '../rendering/form-trouble';
import { Outcome, type Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, fieldTexts } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { EditPostPage } from './edit-post-page';
import { editorPage } from './editor-page';
import { KeyLink } from './key-link';
import { movedBy, readOrder } from './media-order';
import { MediaPickerPage } from './media-picker-page';
import { editPath, ownerApi, ownMedia, ownPost, ownPostPath } from './owner-access';
import { postChangesOf, postValuesOf, sentPostValues } from './post-details-form';

/** Media on a page of the picker. */
const PICKER_SIZE = 60;

type EditPostPageProps = Parameters<typeof EditPostPage>[0];

@Controller('p/:post')
export class PostEditingController {
  @Get('edit')
  editor(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page> {
    return this.editPage(visit, slug, {});
  }

  @Post('edit')
  async edit(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page | Outcome> {
    const api = await ownerApi(visit);
    const values = sentPostValues(visit);
    try {
      const { access_key: key } = await api.posts.update(slug, postChangesOf(values));
      return new Outcome({
        goTo: ownPostPath(visit, slug, key),
        notice: 'Your changes are saved.',
        data: { visibility: values.visibility },
        ...(key !== undefined && { fragment: <KeyLink slug={slug} accessKey={key} id="editor-key" /> }),
      });
    } catch (error) {
      const trouble = formTroubleOf(byField(error), visit);
      return this.editPage(visit, slug, { values, trouble });
    }
  }

  /** `order`: slugs with commas between them; `move`: which of them goes one place up or down. */
  @Post('order')
  async order(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page | Outcome> {
    const api = await ownerApi(visit);
    const order = movedBy(readOrder(fieldText(visit, 'order')), fieldText(visit, 'move'));
    try {
      await api.posts.update(slug, { media_order: [...order] });
    } catch (error) {
      const mediaTrouble = formTroubleOf(ofOrder(error), visit);
      return this.editPage(visit, slug, { mediaTrouble });
    }
    return new Outcome({ goTo: `${editPath(slug)}#editor-files`, notice: 'The new order is saved.' });
  }

  @Get('media')
  picker(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page> {
    return this.pickerPage(visit, slug);
  }

  /**
   * `remove`: the slug of a media to take out; or `media_ids` to put in, and where they should not be the last ones,
   * the whole `order`.
   */
  @Post('media')
  async changeMedia(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page | Outcome> {
    const api = await ownerApi(visit);
    const removed = fieldText(visit, 'remove');
    const goTo = `${editPath(slug)}#editor-files`;
    if (removed !== '') {
      try {
        await api.posts.removeMedia(slug, removed);
      } catch (error) {
        const mediaTrouble = formTroubleOf(error, visit);
        return this.editPage(visit, slug, { mediaTrouble });
      }
      return new Outcome({ goTo, notice: 'It is out of the post, and still among your media.' });
    }
    const ids = fieldTexts(visit, 'media_ids').map(Number);
    const order = readOrder(fieldText(visit, 'order'));
    try {
      if (ids.length === 0) throw refusal({ media_ids: ['Choose at least one.'] });
      await api.posts.addMedia(slug, ids, { idempotencyKey: visit.idempotencyKey });
      if (order.length > 0) await api.posts.update(slug, { media_order: [...order] });
    } catch (error) {
      return this.pickerPage(visit, slug, formTroubleOf(ofMedia(error), visit));
    }
    return new Outcome({ goTo, notice: ids.length === 1 ? 'It is in the post.' : 'They are in the post.' });
  }

  @Post('delete')
  async remove(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Outcome> {
    const api = await ownerApi(visit);
    await api.posts.delete(slug);
    const viewer = await visit.viewer();
    return new Outcome({
      goTo: viewer ? `/u/${viewer.username}` : '/',
      notice: 'Your post is deleted.',
    });
  }

  private async editPage(
    visit: Visit,
    slug: string,
    { values, trouble, mediaTrouble }: Partial<EditPostPageProps>,
  ): Promise<Page> {
    const post = await ownPost(await ownerApi(visit), slug);
    return editorPage({
      title: 'Edit your post',
      status: trouble?.status ?? mediaTrouble?.status ?? 200,
      body: (
        <EditPostPage
          post={post}
          values={values ?? postValuesOf(post)}
          back={ownPostPath(visit, slug, post.access_key)}
          trouble={trouble}
          mediaTrouble={mediaTrouble}
        />
      ),
    });
  }

  private async pickerPage(
    visit: Visit,
    slug: string,
    trouble?: Parameters<typeof MediaPickerPage>[0]['trouble'],
  ): Promise<Page> {
    const api = await ownerApi(visit);
    const page = queryPage(visit.request);
    const [post, media] = await Promise.all([ownPost(api, slug), ownMedia(visit, api, page, PICKER_SIZE)]);
    return editorPage({
      title: 'Add to your post',
      status: trouble?.status ?? 200,
      body: <MediaPickerPage post={post} media={media} trouble={trouble} />,
    });
  }
}

/** The form has one field for all tags: `tags.3` is told there. */
function byField(error: unknown): unknown {
  if (!(error instanceof VitrineError) || error.code !== 'invalid') return error;
  const errors: Record<string, string[]> = {};
  for (const [name, lines] of Object.entries(error.errors)) {
    (errors[name.replace(/\.\d+$/, '')] ??= []).push(...lines);
  }
  return refusal(errors);
}

/** An order of other media than the post has: somebody has changed it meanwhile, in another window say. */
const ofOrder = (error: unknown): unknown =>
  error instanceof VitrineError && error.code === 'invalid'
    ? refusal({ order: ['The post has changed meanwhile. Here it is as it is now.'] })
    : error;

const ofMedia = (error: unknown): unknown =>
  error instanceof VitrineError && Object.keys(error.errors).some((name) => /^media_ids\.\d+$/.test(name))
    ? refusal({ media_ids: ['Some of these are not there any more, or already in the post.'] })
    : error;
