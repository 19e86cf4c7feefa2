import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { DailyCounts } from '../../base/daily-counts/daily-counts';

/** The number of accounts that each address created on a UTC day. */
@Injectable()
export class RegistrationCountRepository extends DailyCounts {
  constructor(database: Database) {
    super(database, { name: 'registration_counts', key: 'address', count: 'accounts' });
  }
}
