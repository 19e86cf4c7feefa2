/** The span of a transaction or read; it carries no statement and no values. */
export const DATABASE_SPAN = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;
