import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AuthorResource,
  type PageResource,
  UserSearchQuery,
  SuggestionQuery,
  SuggestionsResource,
} from '@vitrine/contracts/api';
import { type Caller, PeopleSearch, PostSearch, TagsService } from '@vitrine/domain';
import {
  API_PREFIX,
  CurrentAddress,
  CurrentViewer,
  presentAuthor,
  presentPage,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { AnswersData, AnswersPage } from '../openapi/answers';
import { presentTag } from '../tags/tags.controller';

/** Suggestions of each kind. */
const SUGGESTED = 4;

@Controller(API_PREFIX)
export class SearchController {
  constructor(
    private readonly people: PeopleSearch,
    private readonly posts: PostSearch,
    private readonly tags: TagsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('users')
  @Public()
  @ApiTags('users')
  @ApiOperation({
    operationId: 'searchUsers',
    summary: 'Search people',
    description:
      'Accounts whose username begins with `q`, contains it or resembles it, at most 200. Deleted and suspended accounts, and users with a block between them and the caller, are left out.',
  })
  @AnswersPage(AuthorResource, 'One page of people, the most similar first.')
  async search(
    @Query() { q, page, limit }: UserSearchQuery,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<AuthorResource>> {
    const { people, total } = await this.people.findPage(q, { page, limit }, viewer);
    return presentPage(
      people.map((author) => presentAuthor(author, this.urls)),
      { page, limit, total },
      address,
    );
  }

  @Get('search/suggest')
  @Public()
  @ApiTags('posts')
  @ApiOperation({
    operationId: 'suggest',
    summary: 'Suggest people, tags and titles',
    description: 'For search fields, while somebody types. Nsfw tags and titles are left out.',
  })
  @AnswersData(SuggestionsResource, 'The suggestions.')
  async suggest(
    @Query() { q }: SuggestionQuery,
    @CurrentViewer() viewer: Caller | null,
  ): Promise<{ data: SuggestionsResource }> {
    const part = { page: 1, limit: SUGGESTED, similar: false };
    const [{ people }, tags, titles] = await Promise.all([
      this.people.findPage(q, part, viewer),
      this.tags.suggest(q.replace(/^#/, ''), SUGGESTED),
      this.posts.suggestTitles(q, viewer, SUGGESTED),
    ]);
    return {
      data: {
        users: people.map((author) => presentAuthor(author, this.urls)),
        tags: tags.map(presentTag),
        titles: [...titles],
      },
    };
  }
}
