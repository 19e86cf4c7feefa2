import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { UploadCountRepository } from './upload-count.repository';

/** The files that each user, or each address of guests, uploaded on a UTC day. A subject is `user:<id>` or `ip:<address>`. */
@Injectable()
export class UploadCounts {
  constructor(
    private readonly database: Database,
    private readonly repository: UploadCountRepository,
  ) {}

  /** The files of a subject today. */
  findToday(subject: string): Promise<number> {
    return this.repository.findToday(subject);
  }

  /** Counts files of today, within the transaction that registers them. False if the subject would have more than `limit`. */
  countWithin(tx: Transaction, subject: string, limit: number, files: number): Promise<boolean> {
    return this.repository.countWithin(tx, subject, limit, files);
  }

  /** Counts files of today that aren't registered. */
  countMore(subject: string, files: number): Promise<void> {
    return this.repository.countMore(subject, files);
  }

  /** Removes counts that are more than `days` days old; returns how many. */
  forget(days: number): Promise<number> {
    return this.database.transaction((tx) => this.repository.removeBefore(tx, days));
  }
}
