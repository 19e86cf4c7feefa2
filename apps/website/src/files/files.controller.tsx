import { Controller, Get, Post } from '@nestjs/common';
import { type BodyOf, VitrineError } from '@vitrine/client';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import { pluralize } from '../components/words';
import { editPath } from '../post-editing/owner-access';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { typedTags } from '../tags/typed-tags';
import { fieldText, fieldTexts } from '../visits/form-fields';
import { queryPage, queryText } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { type FileFilters, filesPage, PERIODS, SORTS, TYPES, USES } from './files-page';

/** Files on a page. A request changes at most 100. */
const PAGE_SIZE = 60;

/** The page on which members find and change many of their files. */
@Controller('files')
export class FilesController {
  @Get()
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    const viewer = await visit.requireViewer();
    const filters = filtersOf(visit);
    const media = await visit.api.me.media.list({
      limit: PAGE_SIZE,
      page: queryPage(visit.request),
      sort: filters.sort,
      period: filters.period,
      ...(filters.type !== 'all' && { type: filters.type }),
      ...(filters.use === 'none' && { without_post: true }),
    });
    return filesPage({ media, filters, path: visit.path, storage: viewer.storage });
  }

  /** Does `action` with the chosen `media`. */
  @Post()
  async change(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    const media = fieldTexts(visit, 'media');
    const goTo = safePath(fieldText(visit, 'next'));
    if (media.length === 0) return new FormResult({ goTo, notice: 'Choose at least one file.' });
    const action = fieldText(visit, 'action');
    if (action === 'post') return this.post(visit, media, goTo);
    const changes = CHANGES[action]?.(visit);
    if (!changes) return new FormResult({ goTo });
    const results = await visit.api.me.changeMedia({ media: [...media], ...changes });
    visit.forgetViewer();
    const done = results.filter(({ result }) => result === 'done').length;
    const failed = results.length - done;
    const problem = failed === 0 ? '' : ` ${pluralize(failed, 'file')} could not be changed.`;
    return new FormResult({
      goTo,
      notice: `${pluralize(done, 'file')} ${changes.delete ? 'deleted' : 'changed'}.${problem}`,
    });
  }

  /** A private post, which its owner publishes in the editor. */
  private async post(visit: Visit, media: readonly string[], goTo: string): Promise<FormResult> {
    if (media.length > MAX_POST_MEDIA)
      return new FormResult({ goTo, notice: `A post can have ${MAX_POST_MEDIA} files.` });
    try {
      const body = { media_ids: [...media], visibility: 'private' as const };
      const { slug } = await visit.api.posts.create(body, { idempotencyKey: visit.idempotencyKey });
      return new FormResult({ goTo: editPath(slug), notice: 'This post is private until you change it.' });
    } catch (error) {
      if (!(error instanceof VitrineError) || error.code !== 'invalid') throw error;
      return new FormResult({ goTo, notice: error.message });
    }
  }
}

type Changes = Omit<BodyOf<'changeOwnMedia'>, 'media'>;

const CHANGES: Readonly<Record<string, (visit: Visit) => Changes>> = {
  delete: () => ({ delete: true }),
  unlist: () => ({ unlisted: true }),
  list: () => ({ unlisted: false }),
  tag: (visit) => ({ add_tags: [...typedTags(fieldText(visit, 'tags'))] }),
};

function filtersOf({ request }: Visit): FileFilters {
  const choice = <Name extends string>(name: string, choices: Readonly<Record<Name, string>>): Name => {
    const asked = queryText(request, name);
    const names = Object.keys(choices) as Name[];
    return names.find((known) => known === asked) ?? names[0]!;
  };
  return {
    type: choice('type', TYPES),
    use: choice('use', USES),
    period: choice('period', PERIODS),
    sort: choice('sort', SORTS),
  };
}
