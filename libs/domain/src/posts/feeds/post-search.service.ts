import { Injectable } from '@nestjs/common';
import type { FeedQuery } from '@vitrine/contracts/api';
import type { Viewer } from '../../base/access/viewer';
import { RelationsService } from '../../community/relations/relations.service';
import type { RequestedPage } from './feed-requests';
import { PostSearchRepository } from './post-search.repository';

/** Characters of a text that are compared. */
const LONGEST = 100;
/** A text without letters and digits has no words, and would be compared with every title. */
const WORD = /[\p{L}\p{N}]/u;
/** Titles aren't suggested for shorter texts. */
const SHORTEST = 2;

/** Searches posts by words like the given ones, and suggests titles. */
@Injectable()
export class PostSearch {
  constructor(
    private readonly repository: PostSearchRepository,
    private readonly relations: RelationsService,
  ) {}

  /** A page of the posts that resemble a text without containing its words, without those of hidden people. */
  async findSimilarPage(
    { q = '', nsfw, page, limit }: Pick<FeedQuery, 'q' | 'nsfw' | 'page' | 'limit'>,
    viewer: Viewer,
  ): Promise<RequestedPage> {
    const text = shortened(q);
    const hidden = await this.relations.findHidden(viewer);
    const audience = nsfw ? 'adults' : 'everyone';
    const ids = !WORD.test(text)
      ? []
      : await this.repository.findSimilar({ audience, text, hidden: [...hidden] });
    return { ids: ids.slice((page - 1) * limit, page * limit), total: ids.length, seed: null, hidden };
  }

  /** Titles of safe posts that begin with a text, without those of hidden people. */
  async suggestTitles(q: string, viewer: Viewer, limit: number): Promise<readonly string[]> {
    const text = shortened(q);
    if (text.length < SHORTEST) return [];
    return this.repository.findTitles(text, [...(await this.relations.findHidden(viewer))], limit);
  }
}

const shortened = (text: string): string => [...text.trim()].slice(0, LONGEST).join('');
