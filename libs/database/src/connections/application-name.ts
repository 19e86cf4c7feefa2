/** Injection token of the name that a process's sessions have in `pg_stat_activity`. */
export const APPLICATION_NAME = Symbol('vitrine:application-name');
