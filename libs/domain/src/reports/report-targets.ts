import { Injectable } from '@nestjs/common';
import type { ReportType } from '@vitrine/contracts';
import { NotFoundError } from '../errors/domain-error';
import type { Viewer } from '../media/media.rules';
import { MediaService } from '../media/media.service';
import { PostsService } from '../posts/posts.service';
import { AuthorsService } from '../users/authors.service';
import { ReportRepository } from './report.repository';

/** What can be reported, as far as a viewer knows of it. */
@Injectable()
export class ReportTargets {
  constructor(
    private readonly media: MediaService,
    private readonly posts: PostsService,
    private readonly authors: AuthorsService,
    private readonly repository: ReportRepository,
  ) {}

  /**
   * The id of a media (by slug), post (by slug or id), comment (by id) or account (by username). Throws `NotFoundError`
   * where there is none that `viewer`, or whoever has the post's `key`, can see.
   */
  async find(type: ReportType, target: string, viewer: Viewer, key: string | null): Promise<number> {
    switch (type) {
      case 'media':
        return (await this.media.findForViewer(target, viewer)).media.id;
      case 'post':
        return (await this.posts.requireVisible(target, viewer, key)).id;
      case 'comment':
        return this.findComment(target, viewer, key);
      case 'user':
        return required(await this.authors.findUserId(target));
    }
  }

  /** Comments are seen with their post. */
  private async findComment(target: string, viewer: Viewer, key: string | null): Promise<number> {
    const id = /^[1-9]\d{0,14}$/.test(target) ? Number(target) : null;
    const postId = required(id && (await this.repository.findCommentedPost(id)));
    await this.posts.requireVisible(postId, viewer, key);
    return required(id);
  }
}

function required(id: number | null): number {
  if (id === null) throw new NotFoundError();
  return id;
}
