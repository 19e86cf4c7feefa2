import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';

/**
 * Holds all deletions of files. A database that was restored to an earlier moment still contains the deletions that were due
 * then, of files that may be needed now. It is a row and no setting, so that no tool that applies manifests ends it. What is
 * held isn't lost: deleted media stay in `pending_files`, and sweeps find the rest again.
 */
@Injectable()
export class DeletionHold {
  constructor(private readonly database: Database) {}

  /** Whether no file may be deleted now. */
  async isHeld(): Promise<boolean> {
    return (await this.database.query('select from deletion_hold')).length > 0;
  }

  /** Holds deletions from now on; does nothing if they are held already. */
  async begin(): Promise<void> {
    await this.database.write('insert into deletion_hold default values on conflict do nothing');
  }

  /** Lets deletions continue. Returns whether they were held. */
  async end(): Promise<boolean> {
    return (await this.database.write('delete from deletion_hold returning since')).length > 0;
  }
}
