import { Module } from '@nestjs/common';
import { CachePurgeRepository } from './cache-purge.repository';
import { CachePurges } from './cache-purges.service';

/** What shared caches must still forget. */
@Module({ providers: [CachePurgeRepository, CachePurges], exports: [CachePurges] })
export class CachePurgesModule {}
