import type { PersonDetailResource, PersonResource } from '@vitrine/contracts/api';
import { presentStorageUse } from '../quotas/quota.presenter';
import type { Person, PersonDetail } from '@vitrine/domain';

/** The resource of an account in a list, for admins. */
export const presentPerson = (person: Person): PersonResource => ({
  username: person.username,
  email: person.email,
  role: person.role,
  state: person.state,
  applied: person.applied,
  created_at: person.createdAt.toISOString(),
});

/** The resource of one account, for admins. */
export const presentPersonDetail = (person: PersonDetail): PersonDetailResource => ({
  ...presentPerson(person),
  state_reason: person.reason,
  state_until: person.until?.toISOString() ?? null,
  post_count: person.postCount,
  media_count: person.mediaCount,
  follower_count: person.followerCount,
  session_count: person.sessionCount,
  token_count: person.tokenCount,
  second_factor: person.hasSecondFactor,
  storage: presentStorageUse(person.quota),
  quota_bytes: person.quota.own.bytes,
  quota_files: person.quota.own.files,
  last_used_at: person.lastUsedAt?.toISOString() ?? null,
});
