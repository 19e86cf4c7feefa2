/** Injection token of the name by which a process's sessions are known in `pg_stat_activity`. */
export const APPLICATION_NAME = Symbol('vitrine:application-name');
