import { isSuspended } from './restriction-sql';

/**
 * The condition for a row of `users`, given its alias: an active member. Others see neither guests nor deleted
 * accounts.
 */
export const isActiveMemberSql = (user: string): string =>
  `${user}.deleted_at is null and ${user}.kind = 'member'`;

/**
 * The condition for a row of `users`, given its alias: an active member who isn't suspended and on whose
 * application staff has decided. Others can't find the profiles of the rest.
 */
export const visibleMember = (user: string): string =>
  `${isActiveMemberSql(user)} and not ${isSuspended(`${user}.id`)}
   and not exists (select from applications a where a.user_id = ${user}.id)`;

/**
 * Joins the owner of an item under the alias `u`, if it is an active member. `userId` is the column with the owner's
 * id.
 */
export const ownerJoin = (userId: string): string =>
  `left join users u on u.id = ${userId} and ${isActiveMemberSql('u')}`;

/**
 * Joins the avatar of a user (the alias of its row in `users`) under `alias`, for `avatarJson`. Only an approved
 * picture is shown as an avatar.
 */
export const avatarJoin = (user: string, alias: string): string =>
  `left join media ${alias} on ${alias}.id = ${user}.avatar_media_id and ${alias}.moderation_status = 'approved'`;

/**
 * The avatar that `avatarJoin` joined, as JSON of `LinkedMedia`, with the one variant that is shown; null if there is
 * none.
 */
export const avatarJson = (alias: string): string =>
  `case when ${alias}.id is not null then json_build_object(
     'slug', ${alias}.slug, 'kind', ${alias}.kind, 'format', ${alias}.format, 'ext', ${alias}.ext,
     'frames', ${alias}.frames, 'variants', jsonb_path_query_array(${alias}.variants, '$[*] ? (@.name == "xs")')) end`;
