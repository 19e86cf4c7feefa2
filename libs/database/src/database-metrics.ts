import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import type { Pool } from 'pg';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { poolOf } from './access/database';
import { connectionsOf, type PoolConnections } from './connections/connections';
import { Replicas } from './replicas/replicas';

/** The state of pools and replicas, read from memory on each scrape. */
@Injectable()
export class DatabaseMetrics implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    @Optional() private readonly registry?: Registry,
  ) {}

  /** Tools have no registry. */
  onModuleInit(): void {
    if (!this.registry) return;
    this.countConnections([this.registry]);
    if (this.replicas.all.length > 0) this.watchReplicas([this.registry]);
  }

  private countConnections(registers: Registry[]): void {
    const ofPrimary = (): PoolConnections => {
      const pool: Pool | undefined = poolOf(this.dataSource);
      return pool ? connectionsOf(pool) : NONE;
    };
    const readAll = (): ({ readonly pool: string } & PoolConnections)[] => [
      { pool: 'primary', ...ofPrimary() },
      ...this.replicas.all.map(({ connections }) => ({ pool: 'replica', ...connections })),
    ];
    new Gauge({
      name: 'vitrine_database_pool_connections',
      help: 'Connections of this process’s pools by what they do; waiting: callers that wait for one.',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        this.reset();
        for (const { pool, busy, idle, waiting } of readAll()) {
          this.inc({ pool, state: 'busy' }, busy);
          this.inc({ pool, state: 'idle' }, idle);
          this.inc({ pool, state: 'waiting' }, waiting);
        }
      },
    });
  }

  private watchReplicas(registers: Registry[]): void {
    const { all } = this.replicas;
    new Gauge({
      name: 'vitrine_database_replica_lag_seconds',
      help: 'How old a replica’s data are at most; replicas are numbered as in DATABASE_REPLICA_URLS.',
      labelNames: ['replica'],
      registers,
      collect() {
        this.reset();
        for (const [index, { lagSeconds }] of all.entries()) {
          if (lagSeconds !== null) this.set({ replica: index }, lagSeconds);
        }
      },
    });
    new Gauge({
      name: 'vitrine_database_replica_in_use',
      help: '1 if a replica answers reads, 0 if it is not used.',
      labelNames: ['replica'],
      registers,
      collect() {
        this.reset();
        for (const [index, { inUse }] of all.entries()) this.set({ replica: index }, inUse ? 1 : 0);
      },
    });
  }
}

/** After the end of the process's work there is no pool. */
const NONE: PoolConnections = { busy: 0, idle: 0, waiting: 0 };
