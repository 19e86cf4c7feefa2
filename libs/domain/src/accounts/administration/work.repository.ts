import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';

/** How often media couldn't be processed for one reason. */
export interface ProcessingErrors {
  readonly reason: string;
  readonly count: number;
}

/** The queries on what the processes have to do. */
@Injectable()
export class WorkRepository {
  constructor(private readonly database: Database) {}

  /** The `reasons` most frequent errors of the latest `media` media that couldn't be processed. */
  findProcessingErrors(media: number, reasons: number): Promise<readonly ProcessingErrors[]> {
    return this.database.read<ProcessingErrors>(
      `select reason, count(*) as count
       from (select processing_error as reason from media where processing_error is not null
             order by id desc limit $1) latest
       group by reason order by count(*) desc, reason limit $2`,
      [media, reasons],
    );
  }
}
