import type { Period } from '@vitrine/contracts';

/** A period as PostgreSQL reads intervals; null for all time. */
export const intervalOf = (period: Period): string | null => (period === 'all' ? null : `1 ${period}`);
