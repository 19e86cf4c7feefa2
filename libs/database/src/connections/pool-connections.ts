import type { Pool } from 'pg';

/** The connections of a pool by state; `waiting` counts callers that wait for one. */
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
