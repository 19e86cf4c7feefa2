import { Injectable } from '@nestjs/common';
import type { ChangedMediaResource, OwnMediaQuery } from '@vitrine/contracts/api';
import type { Viewer } from '../../base/access/viewer';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { MediaDeletion } from './media-deletion.service';
import { MediaEditing } from './media-editing.service';
import { MediaReading } from './media-reading.service';
import type { MediaPage } from './media.types';
import { OwnMediaRepository } from './own-media.repository';

/** A change of several media. */
export interface OwnMediaChanges {
  /** Deletes them; other changes are ignored then. */
  readonly delete?: boolean;
  readonly unlisted?: boolean;
  /** Tags that are added to those of each media item. */
  readonly addTags?: readonly string[];
}

type Result = ChangedMediaResource['result'];

/** Lists and changes many media of their owner. */
@Injectable()
export class OwnMedia {
  constructor(
    private readonly repository: OwnMediaRepository,
    private readonly reading: MediaReading,
    private readonly editing: MediaEditing,
    private readonly deletion: MediaDeletion,
  ) {}

  /** A page of the caller's media, filtered and sorted. */
  async findPage(caller: NonNullable<Viewer>, query: OwnMediaQuery): Promise<MediaPage> {
    const { ids, total } = await this.repository.findPage(caller.userId, query);
    return { items: await this.reading.findViews(ids), total, seed: null };
  }

  /**
   * Changes media of the caller, given by ids or slugs. Returns the result for each, in order. They are deleted in one
   * transaction, and changed in one for each.
   */
  async change(
    named: readonly (number | string)[],
    caller: NonNullable<Viewer>,
    { delete: deletes, ...changes }: OwnMediaChanges,
  ): Promise<readonly Result[]> {
    const ids = await this.reading.findIds(named);
    if (deletes) {
      const deleted = await this.deletion.removeOwn(ids, caller);
      return ids.map((id) => (deleted.has(id) ? 'done' : 'not_found'));
    }
    const results: Result[] = [];
    for (const id of ids) results.push(await this.changeOne(id, caller, changes));
    return results;
  }

  private async changeOne(
    id: number,
    caller: NonNullable<Viewer>,
    changes: Omit<OwnMediaChanges, 'delete'>,
  ): Promise<Result> {
    try {
      await this.editing.update(String(id), caller, changes);
      return 'done';
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof ForbiddenError) return 'not_found';
      if (error instanceof InvalidFieldsError) return 'invalid';
      throw error;
    }
  }
}
