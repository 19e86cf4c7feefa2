import type { Role } from '@vitrine/contracts';

const RANK: Readonly<Record<Role, number>> = { user: 0, moderator: 1, admin: 2 };

/** Whether staff with the role `actor` may rule on accounts with the role `target`: only on lower ones. */
export const outranks = (actor: Role, target: Role): boolean => RANK[actor] > RANK[target];
