import type { Pool } from 'pg';

/** A pool's connections by what they do; `waiting` are callers without one. */
export interface PoolConnections {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export const connectionsOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolConnections => ({
  busy: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});
