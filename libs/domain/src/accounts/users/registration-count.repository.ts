import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { PreparedReads } from '@vitrine/database';
import type { DataSource } from 'typeorm';
import { DailyCounts } from '../../base/daily-counts/daily-counts';

/** The number of accounts that each address created on a UTC day. */
@Injectable()
export class RegistrationCountRepository extends DailyCounts {
  constructor(@InjectDataSource() dataSource: DataSource, reads: PreparedReads) {
    super(dataSource, reads, { name: 'registration_counts', key: 'address', count: 'accounts' });
  }
}
