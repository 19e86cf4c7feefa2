import { Controller, ForbiddenException, Get, Param, Post } from '@nestjs/common';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { EditMediaPage } from './edit-media-page';
import { editorPage } from './editor-page';
import { mediaChangesOf, mediaValuesOf, sentMediaValues } from './media-details';
import { ownerApi } from './owner-access';

@Controller('m/:media')
export class MediaEditingController {
  @Get('edit')
  async editor(@CurrentVisit() visit: Visit, @Param('media') slug: string): Promise<Page> {
    const api = await ownerApi(visit);
    const [media, viewer] = await Promise.all([api.media.get(slug), visit.viewer()]);
    // For guests' media the API doesn't name the owner; it checks ownership when something is changed.
    if (viewer && media.user?.username !== viewer.username) throw new ForbiddenException();
    return editMediaPage({ slug, values: mediaValuesOf(media), next: nextOf(visit, slug) });
  }

  @Post('edit')
  async edit(@CurrentVisit() visit: Visit, @Param('media') slug: string): Promise<Page | FormResult> {
    const api = await ownerApi(visit);
    const values = sentMediaValues(visit);
    const next = nextOf(visit, slug);
    try {
      await api.media.update(slug, mediaChangesOf(values));
    } catch (error) {
      return editMediaPage({ slug, values, next, problem: formProblemOf(error, visit) });
    }
    return new FormResult({ goTo: next, notice: 'Your changes were saved.', data: { title: values.title } });
  }

  @Post('delete')
  async remove(@CurrentVisit() visit: Visit, @Param('media') slug: string): Promise<FormResult> {
    const api = await ownerApi(visit);
    await api.media.delete(slug);
    const viewer = await visit.viewer();
    return new FormResult({
      goTo: viewer ? `/u/${viewer.username}/media` : '/',
      notice: 'The file was deleted.',
    });
  }
}

/** The path in `next`; the media item's page if there is none. */
function nextOf(visit: Visit, slug: string): string {
  const { next } = visit.request.query;
  return next === undefined ? `/m/${slug}` : safePath(next);
}

const editMediaPage = (props: Parameters<typeof EditMediaPage>[0]): Page =>
  editorPage({
    title: 'Edit your file',
    status: props.problem?.status ?? 200,
    body: <EditMediaPage {...props} />,
  });
