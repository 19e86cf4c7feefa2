import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { waitAtMost } from '@vitrine/concurrency';
import { scrapedGauge } from '@vitrine/runtime';
import type { Pool } from 'pg';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Database, poolOf } from './access/database';
import { connectionsOf, type PoolConnections } from './connections/connections';
import { Replicas } from './replicas/replicas';

/** The primary counts as unreachable if it doesn't answer within this time, which is shorter than a scrape waits. */
const UP_WITHIN_MS = 1_500;

/** Whether the primary answers, and the state of pools and replicas, which is read from memory on each scrape. */
@Injectable()
export class DatabaseMetrics implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly database: Database,
    @Optional() private readonly registry?: Registry,
  ) {}

  /** Tools have no registry. */
  onModuleInit(): void {
    if (!this.registry) return;
    this.watchPrimary(this.registry);
    this.countConnections([this.registry]);
    if (this.replicas.all.length > 0) this.watchReplicas([this.registry]);
  }

  private watchPrimary(registry: Registry): void {
    const answers = (): Promise<boolean> =>
      waitAtMost(UP_WITHIN_MS, poolOf(this.dataSource).query('select 1')).catch(() => false);
    scrapedGauge({
      name: 'vitrine_database_up',
      help: '1 if the primary answers this process, else 0.',
      labelNames: [],
      registry,
      read: async () => [{ labels: {}, value: (await answers()) ? 1 : 0 }],
    });
    const { database } = this;
    new Gauge({
      name: 'vitrine_database_overdue_commits',
      help: 'Transactions whose COMMIT PostgreSQL has not answered in time, and which may be stored.',
      registers: [registry],
      collect() {
        this.set(database.overdueCommits);
      },
    });
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
