import type { Period } from '@vitrine/contracts/api';

/** A period as an interval of PostgreSQL; null for `all`. */
export const intervalOf = (period: Period): string | null => (period === 'all' ? null : `1 ${period}`);
