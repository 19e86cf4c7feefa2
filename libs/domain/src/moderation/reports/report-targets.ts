import { Injectable } from '@nestjs/common';
import { readNumericId, type ReportType } from '@vitrine/contracts';
import { NotFoundError } from '../../base/errors/domain-error';
import { MediaReading } from '../../media/items/media-reading.service';
import { PostsService } from '../../posts/posts/posts.service';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { ReportRepository } from './report.repository';
import type { Reading } from '../../base/access/reading';

/** Finds the items that can be reported. */
@Injectable()
export class ReportTargets {
  constructor(
    private readonly media: MediaReading,
    private readonly posts: PostsService,
    private readonly authors: AuthorsService,
    private readonly repository: ReportRepository,
  ) {}

  /**
   * The id of a media item (by slug), post (by slug or id), comment (by id) or user (by username). Throws
   * `NotFoundError` if the viewer can't see such an item. `post` may name the post of a comment.
   */
  async find(
    type: ReportType,
    target: string,
    reading: Reading,
    post: string | null = null,
  ): Promise<number> {
    switch (type) {
      case 'media':
        return (await this.media.findForViewer(target, reading.viewer)).media.id;
      case 'post':
        return (await this.posts.requireVisible(target, reading)).id;
      case 'comment':
        return this.findComment(target, post, reading);
      case 'user':
        return required(await this.authors.findUserId(target));
    }
  }

  /** Who can see a post can see its comments. */
  private async findComment(target: string, post: string | null, reading: Reading): Promise<number> {
    const id = readNumericId(target);
    const postId = required(id && (await this.repository.findCommentedPost(id)));
    const visible = await this.posts.requireVisible(post ?? { ofComment: postId }, reading);
    if (visible.id !== postId) throw new NotFoundError();
    return required(id);
  }
}

function required(id: number | null): number {
  if (id === null) throw new NotFoundError();
  return id;
}
