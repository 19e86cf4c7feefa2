import { Controller, Get, Param, Post } from '@nestjs/common';
import { VitrineError } from '@vitrine/client';
import { formProblemOf, invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
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
  async edit(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page | FormResult> {
    const api = await ownerApi(visit);
    const values = sentPostValues(visit);
    try {
      const { access_key: key } = await api.posts.update(slug, postChangesOf(values));
      return new FormResult({
        goTo: ownPostPath(visit, slug, key),
        notice: 'Your changes were saved.',
        data: { visibility: values.visibility },
        ...(key !== undefined && { fragment: <KeyLink slug={slug} accessKey={key} id="editor-key" /> }),
      });
    } catch (error) {
      const problem = formProblemOf(byField(error), visit);
      return this.editPage(visit, slug, { values, problem });
    }
  }

  /** `order`: slugs separated by commas; `move`: which of them moves one place up or down. */
  @Post('order')
  async order(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page | FormResult> {
    const api = await ownerApi(visit);
    const order = movedBy(readOrder(fieldText(visit, 'order')), fieldText(visit, 'move'));
    try {
      await api.posts.update(slug, { media_order: [...order] });
    } catch (error) {
      const mediaProblem = formProblemOf(ofOrder(error), visit);
      return this.editPage(visit, slug, { mediaProblem });
    }
    return new FormResult({ goTo: `${editPath(slug)}#editor-files`, notice: 'The new order was saved.' });
  }

  @Get('media')
  picker(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page> {
    return this.pickerPage(visit, slug);
  }

  /**
   * `remove`: the slug of a media item to remove; or `media_ids` to add, and the whole `order` if they shouldn't be
   * added at the end.
   */
  @Post('media')
  async changeMedia(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page | FormResult> {
    const api = await ownerApi(visit);
    const removed = fieldText(visit, 'remove');
    const goTo = `${editPath(slug)}#editor-files`;
    if (removed !== '') {
      try {
        await api.posts.removeMedia(slug, removed);
      } catch (error) {
        const mediaProblem = formProblemOf(error, visit);
        return this.editPage(visit, slug, { mediaProblem });
      }
      return new FormResult({ goTo, notice: 'Removed from the post. The file is still in your media.' });
    }
    const ids = fieldTexts(visit, 'media_ids').map(Number);
    const order = readOrder(fieldText(visit, 'order'));
    try {
      if (ids.length === 0) throw invalidFormError({ media_ids: ['Choose at least one.'] });
      await api.posts.addMedia(slug, ids, { idempotencyKey: visit.idempotencyKey });
      if (order.length > 0) await api.posts.update(slug, { media_order: [...order] });
    } catch (error) {
      return this.pickerPage(visit, slug, formProblemOf(ofMedia(error), visit));
    }
    return new FormResult({
      goTo,
      notice: ids.length === 1 ? 'The file was added to the post.' : 'The files were added to the post.',
    });
  }

  @Post('delete')
  async remove(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<FormResult> {
    const api = await ownerApi(visit);
    const alongWithMedia = fieldText(visit, 'media') !== '';
    await api.posts.delete(slug, { alongWithMedia });
    const viewer = await visit.viewer();
    return new FormResult({
      goTo: viewer ? `/u/${viewer.username}` : '/',
      notice: alongWithMedia ? 'Your post and its files were deleted.' : 'Your post was deleted.',
    });
  }

  private async editPage(
    visit: Visit,
    slug: string,
    { values, problem, mediaProblem }: Partial<EditPostPageProps>,
  ): Promise<Page> {
    const post = await ownPost(await ownerApi(visit), slug);
    return editorPage({
      title: 'Edit your post',
      status: problem?.status ?? mediaProblem?.status ?? 200,
      body: (
        <EditPostPage
          post={post}
          values={values ?? postValuesOf(post)}
          back={ownPostPath(visit, slug, post.access_key)}
          problem={problem}
          mediaProblem={mediaProblem}
        />
      ),
    });
  }

  private async pickerPage(
    visit: Visit,
    slug: string,
    problem?: Parameters<typeof MediaPickerPage>[0]['problem'],
  ): Promise<Page> {
    const api = await ownerApi(visit);
    const page = queryPage(visit.request);
    const [post, media] = await Promise.all([ownPost(api, slug), ownMedia(visit, api, page, PICKER_SIZE)]);
    return editorPage({
      title: 'Add to your post',
      status: problem?.status ?? 200,
      body: <MediaPickerPage post={post} media={media} problem={problem} />,
    });
  }
}

/** The form has one field for all tags, so the errors of `tags.3` are shown there. */
function byField(error: unknown): unknown {
  if (!(error instanceof VitrineError) || error.code !== 'invalid') return error;
  const errors: Record<string, string[]> = {};
  for (const [name, lines] of Object.entries(error.errors)) {
    (errors[name.replace(/\.\d+$/, '')] ??= []).push(...lines);
  }
  return invalidFormError(errors);
}

/** The order doesn't match the post's media: the post was changed in the meantime, for example in another window. */
const ofOrder = (error: unknown): unknown =>
  error instanceof VitrineError && error.code === 'invalid'
    ? invalidFormError({ order: ['The post has changed in the meantime. This is its current state.'] })
    : error;

const ofMedia = (error: unknown): unknown =>
  error instanceof VitrineError && Object.keys(error.errors).some((name) => /^media_ids\.\d+$/.test(name))
    ? invalidFormError({ media_ids: ['Some of these files no longer exist or are already in the post.'] })
    : error;
